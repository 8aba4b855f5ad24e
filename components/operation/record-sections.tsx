import { below } from "@/components/ui/base-path";
import { Link } from "@/components/ui/link";
import { JsonView } from "@/components/ui/values/json-view";
import { Section } from "@/components/ui/section";
import type { OperationDetail } from "@/presentation/views/operations";
import { formatCount } from "@/presentation/format/display-time";
import { RowsTable, SectionTable } from "@/components/table/rows-table";
import { Time } from "@/components/ui/values/time";
import { glyphWord } from "@/presentation/format/glyph";
import { auditLabel } from "@/domain/access/audit-action";
import { Actor } from "@/components/audit/actor";
import { PlaceLink } from "@/components/ui/place-link";
import { CodeBlock } from "@/components/ui/values/masked";
import styles from "./operation.module.css";

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
        <a href={below(path)} target="_blank" rel="noreferrer">
          from the API
        </a>
      }
    >
      <JsonView label="Raw record" text={JSON.stringify(record)} openTo={1} />
    </Section>
  );
}

/** The recorded history as it was written, nothing left out and nothing joined. */
export function EventsSection({ operation }: { readonly operation: OperationDetail }) {
  const { events, eventsTotal, at } = operation;
  const note =
    events.length < eventsTotal
      ? `first ${formatCount(events.length)} of ${formatCount(eventsTotal)}`
      : `all ${formatCount(eventsTotal)}`;
  return (
    <Section quiet title="Events" note={note} space="small" id="events">
      <RowsTable
        label="Events"
        rows={events}
        columns={{
          At: { phone: "right", cell: (event) => <Time at={event.at} now={at} form="millis" /> },
          Event: { phone: "left", cell: (event) => event.type.replaceAll("_", " ") },
          Answered: {
            phone: "hidden",
            cell: ({ outcome }) => (outcome === undefined ? "" : glyphWord(outcome).toLowerCase()),
          },
          By: { phone: "full", cell: (event) => event.by },
          Fence: { align: "right", phone: "hidden", cell: (event) => event.fence },
          Attempt: { align: "right", phone: "hidden", cell: (event) => event.attempt },
          Code: { phone: "hidden", cell: (event) => event.code },
        }}
      />
    </Section>
  );
}

export function AuditSection({ operation }: { readonly operation: OperationDetail }) {
  const { audit, at } = operation;
  return (
    <SectionTable
      quiet
      space="small"
      title="Operator actions"
      right={<Link href={`/audit?subjectType=operation&subjectId=${operation.operationId}`}>In the audit</Link>}
      label="Audit entries"
      rows={audit}
      columns={{
        Who: { phone: "left", cell: (row) => <Actor row={row} /> },
        Did: { phone: "left", cell: (row) => <span title={row.action}>{auditLabel(row.action)}</span> },
        Reason: {
          phone: "full",
          wrap: true,
          cell: ({ reason }) => reason ?? <span className="quiet">none given</span>,
        },
        When: { align: "right", phone: "right", cell: (row) => <Time at={row.at} now={at} form="day" /> },
      }}
    />
  );
}

const WITHOUT_BODY: Readonly<Record<Exclude<OperationDetail["command"]["body"], "masked">, string>> = {
  purged: "The body was purged. The fingerprint still tells another command apart.",
  elsewhere: "Kept by the service itself. The fingerprint tells another command apart.",
  unreadable: "The body is stored, but it could not be opened here.",
};

/** The command as it was understood; what is not on the list of plain fields is dots until somebody gives a reason. */
export function CommandSection({ operation }: { readonly operation: OperationDetail }) {
  const { command } = operation;
  const reveal = operation.actions.find(({ action }) => action === "reveal_bodies");
  return (
    <Section
      quiet
      space="small"
      title="Command"
      note={`fingerprint v${String(command.fingerprintVersion)} ${command.fingerprint}, ${command.body}`}
      right={
        reveal?.allowed === true ? <PlaceLink place={{ dialog: "reveal" }}>Show bodies</PlaceLink> : reveal?.whyNot
      }
    >
      {command.body === "masked" ? (
        <CodeBlock
          lines={[
            { name: "operation", value: operation.operation },
            { name: "api", value: command.apiVersion },
            ...(command.meshIdentity === undefined ? [] : [{ name: "mesh identity", value: command.meshIdentity }]),
            ...command.fields.map((field) => ({
              name: field.name,
              value: field.masked ? undefined : field.value,
              note: field.defaulted ? "(default)" : undefined,
            })),
          ]}
        />
      ) : (
        <p className={styles["nothing"]}>{WITHOUT_BODY[command.body]}</p>
      )}
    </Section>
  );
}
