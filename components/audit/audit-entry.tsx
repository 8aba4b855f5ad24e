import Link from "next/link";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { UUID } from "@/domain/uuid";
import { flatChanges, MOST_NAMES, type FlatChange } from "@/presentation/conflict/flat-changes";
import type { AuditDetail } from "@/presentation/views/audit";
import { Actor } from "./actor";
import styles from "./audit.module.css";

export interface AuditEntryProps {
  readonly entry: AuditDetail;
  readonly now: string;
  readonly closeHref: string;
}

/** One entry: who, on what, why; before and after side by side; its place in the chain. */
export function AuditEntry({ entry, now, closeHref }: AuditEntryProps) {
  const changes = flatChanges(entry.before, entry.after);
  const evidence = flatChanges(undefined, entry.evidence);
  return (
    <>
      <Section
        space="none"
        title={`Entry #${entry.sequence}`}
        right={
          <Link href={closeHref} scroll={false}>
            Close
          </Link>
        }
      >
        <p className={styles["title"]}>
          <Actor row={entry} /> did {entry.action}.
        </p>
        {entry.reason !== undefined && <p className={styles["said"]}>{entry.reason}</p>}
        <DataList
          narrow
          right
          items={[
            { name: "When", value: <Time at={entry.at} now={now} form="exact" /> },
            {
              name: "Who",
              value: (
                <>
                  {entry.actorKind} <Id value={entry.actorId} />
                </>
              ),
            },
            { name: entry.subjectType, value: <Subject entry={entry} /> },
            ...(entry.requestId === undefined
              ? []
              : [{ name: "Request", value: <Anything value={entry.requestId} /> }]),
            { name: "Hash", value: <Id value={entry.hash} /> },
            { name: "Covers", value: <Id value={entry.previousHash} /> },
          ]}
        />
      </Section>
      <Section quiet space="small" title="Before and after" note={note(changes)}>
        {changes.length === 0 ? (
          <p className={styles["quiet"]}>Nothing was noted before or after.</p>
        ) : (
          <Changes changes={changes} />
        )}
      </Section>
      {evidence.length > 0 && (
        <Section quiet space="small" title="Evidence">
          <DataList
            narrow
            items={evidence.slice(0, MOST_NAMES).map((fact) => ({
              name: fact.name,
              value: <Anything value={fact.after} />,
            }))}
          />
        </Section>
      )}
    </>
  );
}

/** An id leads to what it names: a plan, a message, the operation of a request. */
function Anything({ value }: { readonly value: string | undefined }) {
  if (value === undefined || !UUID.test(value)) return value;
  return (
    <Link href={`/find?q=${value}`} prefetch={false}>
      <Id value={value} plain />
    </Link>
  );
}

function note(changes: readonly FlatChange[]): string {
  const changed = changes.filter((change) => change.changed).length;
  return changed === 1 ? "1 value changed" : `${String(changed)} values changed`;
}

function Subject({ entry }: { readonly entry: AuditDetail }) {
  if (entry.subjectEmail !== undefined) return entry.subjectEmail;
  if (entry.href === undefined) return <Id value={entry.subjectId} />;
  return (
    <Link href={entry.href}>
      <Id value={entry.subjectId} plain />
    </Link>
  );
}

function Changes({ changes }: { readonly changes: readonly FlatChange[] }) {
  const rest = changes.length - MOST_NAMES;
  return (
    <>
      <dl className={styles["changes"]}>
        {changes.slice(0, MOST_NAMES).map((change) => (
          <div key={change.name} data-changed={change.changed || undefined}>
            <dt>{change.name}</dt>
            <dd>
              {change.changed ? (
                <>
                  {change.before !== undefined && <del>{change.before}</del>}
                  <ins>{change.after ?? "absent"}</ins>
                </>
              ) : (
                change.after
              )}
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 && <p className={styles["quiet"]}>And {rest} more.</p>}
    </>
  );
}
