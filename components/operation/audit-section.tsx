import Link from "next/link";
import { Actor } from "@/components/audit/actor";
import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { OperationDetail } from "@/presentation/views/operations";
import shared from "@/components/ui/shared.module.css";

/** Who looked, asked or decided, and why. */
export function AuditSection({ operation }: { readonly operation: OperationDetail }) {
  const { audit, at } = operation;
  if (audit.length === 0) return null;
  return (
    <Section
      quiet
      space="small"
      title="What people did"
      right={<Link href={`/audit?subjectType=operation&subjectId=${operation.operationId}`}>In the audit</Link>}
    >
      <SimpleTable
        label="Audit entries"
        columns={[
          { id: "who", header: "Who", phone: "left" },
          { id: "action", header: "Did", phone: "left" },
          { id: "reason", header: "Reason", phone: "full", wrap: true },
          { id: "at", header: "When", align: "right", phone: "right" },
        ]}
        rows={audit.map((row) => ({
          id: row.id,
          cells: {
            who: <Actor row={row} />,
            action: row.action,
            reason: row.reason ?? <span className={shared["quiet"]}>none given</span>,
            at: <Time at={row.at} now={at} form="day" />,
          },
        }))}
      />
    </Section>
  );
}
