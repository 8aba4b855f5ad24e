import { JsonView } from "@/components/ui/values/json-view";
import { Section } from "@/components/ui/section";
import type { OperationDetail } from "@/presentation/views/operations";

/** How the page draws the record; the record itself is what is left. */
const DRAWINGS: ReadonlySet<string> = new Set<keyof OperationDetail>([
  "chain",
  "lanes",
  "answers",
  "verdict",
  "actions",
]);

/** The record as programs get it, bodies left out: for a ticket, or for whoever trusts fields more than pictures. */
export function RawSection({ operation }: { readonly operation: OperationDetail }) {
  const record = Object.fromEntries(Object.entries(operation).filter(([name]) => !DRAWINGS.has(name)));
  const path = `/api/v1/admin/operations/${operation.operationId}`;
  return (
    <Section
      quiet
      title="Raw record"
      note="no stored body is in it"
      space="small"
      right={
        <a href={path} target="_blank" rel="noreferrer">
          from the API
        </a>
      }
    >
      <JsonView label="Raw record" text={JSON.stringify(record)} openTo={1} />
    </Section>
  );
}
