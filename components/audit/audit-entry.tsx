"use client";

import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/feedback/notice";
import { openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { PlaceLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { usePlace } from "@/components/ui/place";
import type { AuditFilters } from "@/domain/lists/filters";
import { auditLabel } from "@/domain/access/audit-action";
import { UUID } from "@/domain/uuid";
import { flatChanges, MOST_NAMES, type FlatChange } from "@/presentation/conflict/flat-changes";
import type { AuditDetail } from "@/presentation/views/audit";
import { Actor } from "./actor";
import styles from "./audit.module.css";

export interface OpenEntryProps {
  /** The entry that the address opened when the page was read. */
  readonly opened: Opened<AuditDetail> | undefined;
  readonly chain: AuditFilters["chain"];
  readonly now: string;
}

export function OpenEntry({ opened, chain, now }: OpenEntryProps) {
  const id = usePlace().query.get("open") ?? undefined;
  const search = chain === undefined ? "" : `?chain=${chain}`;
  const row = useOpened(id, idPath("/audit", id, search), opened);
  return openedPane(
    row,
    "This entry",
    (entry) => <AuditEntry entry={entry} now={now} />,
    <EmptyState
      title="There is no such entry."
      text="The address is wrong, or it belongs to another tenant or to the other chain."
    />,
  );
}

export function AuditEntry({ entry, now }: { readonly entry: AuditDetail; readonly now: string }) {
  const changes = flatChanges(entry.before, entry.after);
  const evidence = flatChanges(undefined, entry.evidence);
  return (
    <>
      <Section
        space="none"
        title={`Entry #${entry.sequence}`}
        right={<PlaceLink place={{ open: undefined }}>Close</PlaceLink>}
      >
        <p className={styles["title"]}>
          <Actor row={entry} />: {auditLabel(entry.action)}
        </p>
        {entry.reason !== undefined && <p className={styles["said"]}>{entry.reason}</p>}
        <DataList
          narrow
          right
          items={[
            { name: "Action", value: <Id value={entry.action} full plain /> },
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
            entry.requestId !== undefined && { name: "Request", value: <Anything value={entry.requestId} /> },
            { name: "Hash", value: <Id value={entry.hash} /> },
            { name: "Covers", value: <Id value={entry.previousHash} /> },
          ]}
        />
      </Section>
      <Section quiet space="small" title="Before and after" note={note(changes)}>
        {changes.length === 0 ? (
          <p className="quiet">Nothing was noted before or after.</p>
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
    <Link href={`/find?q=${value}`}>
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
      {rest > 0 && <p className="quiet">And {rest} more.</p>}
    </>
  );
}
