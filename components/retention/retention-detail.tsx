import { Link } from "@/components/ui/link";
import { SectionTable } from "@/components/table/rows-table";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { formatBytes } from "@/presentation/format/format-bytes";
import { purgedOperation, retentionFacts, retentionRun } from "@/presentation/format/retention-words";
import type { BodyKeysView, LosingKey, RetentionRunRow, TableSize } from "@/presentation/views/retention";
import { plural } from "@/presentation/format/words";
import type { Page } from "@/presentation/views/common";
import { isLaterPage, type PageAddress } from "@/presentation/list/page-address";
import { EmptiedPage } from "@/components/feedback/emptied-page";
import { EmptyState } from "@/components/feedback/notice";
import { pageLinks, Pager } from "@/components/table/pager";
import styles from "./retention.module.css";

const TABLE_WORDS: Readonly<Record<string, string>> = {
  idempotency_bodies: "Bodies of commands and answers",
  idempotency_events: "Events of operations",
  inbox_arrivals: "Arrivals",
  message_attempts: "Attempts of messages",
  outbox_history: "Published messages",
};

/** Keys that a caller may still retry: after the purge it hears what became of it, not the first bytes. */
export function Losing({ rows, now }: { readonly rows: readonly LosingKey[]; readonly now: string }) {
  return (
    <SectionTable
      title="Affected callers"
      note="the first keys inside their window, oldest body first"
      label="Keys that lose byte-equal replay"
      rows={rows}
      rowId={({ operationId }) => operationId}
      columns={{
        "Operation and key": {
          phone: "full",
          wrap: true,
          cell: (row) => (
            <Link href={`/operations/${row.operationId}`}>
              {row.kind} <Id value={row.key} plain />
            </Link>
          ),
        },
        Client: { phone: "left", cell: ({ client }) => client },
        "Window ends": {
          align: "right",
          cell: ({ expiresAt }) => <Time at={expiresAt} now={now} form="day" />,
        },
      }}
    />
  );
}

/** What stays whatever is purged. After its window a policy may still let a key run again, and metadata goes in its own time. */
export function Survives() {
  return (
    <Section title="What survives a purge" space="small">
      <Note>
        Key, fingerprint, state, status and events stay: the purge lets no key run again, and another command under its
        key is still a conflict. To purge some bodies only, narrow the{" "}
        <Link href="/operations?range=7d">operations</Link>, select them and plan a purge: it is judged row by row.
      </Note>
    </Section>
  );
}

export function Tables({ rows }: { readonly rows: readonly TableSize[] }) {
  return (
    <SectionTable
      title="Kept by the day"
      note="on disk, all tenants together; a whole expired day is dropped at once"
      empty={<Note>The sizes could not be read in time.</Note>}
      label="Tables kept by the day"
      rows={rows}
      rowId={({ name }) => name}
      columns={{
        What: { cell: ({ name }) => TABLE_WORDS[name] ?? name },
        "First day": { phone: "hidden", cell: ({ first }) => first },
        "Last day": { phone: "hidden", cell: ({ last }) => last },
        Days: { align: "right", phone: "hidden", cell: ({ days }) => formatCount(days) },
        Size: { align: "right", cell: ({ bytes }) => formatBytes(bytes) },
      }}
    />
  );
}

const STORE_WORDS: Readonly<Record<string, string>> = { file: "files", postgres: "another PostgreSQL", env: "none" };

/** What is left of the keys by which bodies are read, and where their other half is. */
export function BodyKeys({ keys }: { readonly keys: BodyKeysView }) {
  const { live, oldestLive, destroyed, lastDestroyed, otherEntry, withoutStore, otherStore, waiting, store, away } =
    keys;
  const stored = store !== "env";
  return (
    <Section title="Keys of bodies" quiet space="none">
      <DataList
        right
        items={[
          { name: "In use", value: live === 0 ? "none" : plural(live, "day") },
          oldestLive !== undefined && { name: "Oldest", value: oldestLive },
          { name: "Destroyed", value: destroyed === 0 ? "none yet" : plural(destroyed, "day") },
          lastDestroyed !== undefined && { name: "Up to", value: lastDestroyed },
          otherEntry > 0 && { name: "Under an old entry", value: `${formatCount(otherEntry)}, being moved` },
          { name: "Key store", value: away ? "does not answer" : (STORE_WORDS[store] ?? store) },
          stored && withoutStore > 0 && { name: "Not in it yet", value: `${formatCount(withoutStore)}, being moved` },
          otherStore > 0 && !away && { name: "In another key store", value: plural(otherStore, "day") },
          waiting > 0 && { name: "Still to be destroyed in it", value: plural(waiting, "day") },
        ]}
      />
      <div className={styles["after"]}>
        {stored ? (
          <Note>
            Each day has a key of its own, and the key store has one that opens it. A minute after both are destroyed,
            no copy of the database opens a sealed body of that day, also not with ENCRYPTION_KEYS. Copies from before
            there was a key store still do.
          </Note>
        ) : (
          <Note>
            Each day has a key of its own. A minute after it is destroyed, a sealed body of that day can be read only
            with a copy of the key, such as one in a backup of the database with its entry of ENCRYPTION_KEYS.
          </Note>
        )}
      </div>
    </Section>
  );
}

export function Runs({ runs, address }: { readonly runs: Page<RetentionRunRow>; readonly address: PageAddress }) {
  return (
    <SectionTable
      title="What was removed so far"
      note="newest first"
      empty={
        isLaterPage(address) ? (
          <EmptiedPage address={address} />
        ) : (
          <EmptyState
            title="No run is on record."
            text="A run that removed bodies, operations, messages or records, or destroyed keys, leaves a line here, and each one by a person. Old metrics, old checks and days that are dropped whole leave none."
          />
        )
      }
      label="Runs of retention"
      rows={runs.rows}
      columns={{
        When: { cell: (row) => <Time at={row.at} now={runs.at} form="day" /> },
        What: { phone: "left", wrap: true, cell: (row) => <Kind row={row} /> },
        By: { phone: "left", cell: By },
        Rows: {
          align: "right",
          cell: ({ rows }) => (
            <>
              {formatCount(rows)}
              <span className="phone-only quiet"> {rows === 1 ? "row" : "rows"}</span>
            </>
          ),
        },
        Bytes: {
          align: "right",
          cell: ({ bytes }) => (bytes === "0" ? <span className="quiet">none</span> : formatBytes(bytes)),
        },
      }}
    >
      {runs.rows.length > 0 && <Pager note="50 a page" {...pageLinks(address, runs)} />}
    </SectionTable>
  );
}

/** On the phone a scheduled run says by its name who ran it. */
function By({ kind, actor }: RetentionRunRow) {
  return kind === "retain" && actor === "retain" ? <span className="off-phone">worker</span> : actor;
}

function Kind({ row }: { readonly row: RetentionRunRow }) {
  const facts = retentionFacts(row);
  const operation = purgedOperation(row);
  return (
    <>
      {operation === undefined ? retentionRun(row) : <Link href={`/operations/${operation}`}>{retentionRun(row)}</Link>}
      {facts.length > 0 && <span className="quiet"> {facts.join(", ")}</span>}
    </>
  );
}
