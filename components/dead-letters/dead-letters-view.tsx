import Link from "next/link";
import { EmptyState } from "@/components/feedback/notice";
import { ListProblems } from "@/components/outbox/list-problems";
import { RequeueButton } from "@/components/outbox/outbox-list";
import styles from "@/components/outbox/messages.module.css";
import { DataTable } from "@/components/table/data-table";
import type { TableColumn, TableRow } from "@/components/table/types";
import { ButtonLink } from "@/components/ui/button";
import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { Glyph } from "@/components/ui/glyph";
import { Id } from "@/components/ui/id";
import { PageHead } from "@/components/ui/page-head";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/time";
import { Verdict, type VerdictClause } from "@/components/ui/verdict";
import { formatCount } from "@/domain/display-time";
import type { DeadLetterFilters } from "@/domain/filters/dead-letters";
import type { FilterProblem } from "@/domain/filters/search";
import { filterHref, type PageAddress } from "@/domain/page-address";
import type { DeadLetterGroup, DeadLetterRow, DeadLettersView as View } from "@/domain/views/dead-letters";
import own from "./dead-letters.module.css";

export interface DeadLettersViewProps {
  readonly view: View;
  readonly filters: DeadLetterFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
}

const COLUMNS: readonly TableColumn[] = [
  { id: "message", header: "Message", phone: "left", link: true },
  { id: "operation", header: "Operation", phone: "hidden" },
  { id: "attempts", header: "Attempts", align: "right", phone: "hidden" },
  { id: "since", header: "Dead for", align: "right", phone: "right" },
  { id: "error", header: "What it said", wrap: true, grow: true, phone: "full" },
  { id: "act", header: "Action", hiddenHeader: true, align: "right", phone: "right" },
];

/** Messages that gave up, grouped by what stopped them: one cause, one decision. */
export function DeadLettersView({ view, filters, problems, address }: DeadLettersViewProps) {
  const count = view.groups.length;
  return (
    <>
      <PageHead lede="A dead letter keeps its body and its id. Requeue it when its cause is gone: the same id again is a duplicate where it already arrived.">
        <Verdict clauses={clauses(view)} />
      </PageHead>
      <Tabs label="Sides" tabs={tabs(filters, address)} />
      <div className={styles["filters"]}>
        <FilterChips
          chips={chips(filters, address)}
          right={
            count === 0
              ? undefined
              : `${formatCount(count)}${view.more ? "+" : ""} ${count === 1 ? "cause" : "causes"}, largest first`
          }
        />
      </div>
      <ListProblems problems={problems} />
      {count === 0 && <Nothing view={view} filters={filters} address={address} />}
      {view.groups.map((group, index) => (
        <Group
          key={`${group.side} ${group.place} ${group.fingerprint}`}
          group={group}
          view={view}
          address={address}
          first={index === 0}
        />
      ))}
      {view.more && <Note>More causes than are shown. Requeue or fix the largest first, or choose one side.</Note>}
    </>
  );
}

/** The same sentence as one line. */
export function deadLettersTitle(view: View): string {
  return clauses(view)
    .map(({ text }) => text)
    .join(" ");
}

function clauses(view: View): readonly VerdictClause[] {
  if (view.open === 0) return [{ text: "No message has given up." }];
  const largest = view.groups[0];
  return [
    { text: `${formatCount(view.open)} ${view.open === 1 ? "message" : "messages"} gave up.`, tone: "broken" },
    ...(largest === undefined || view.groups.length < 2
      ? []
      : [{ text: `${formatCount(largest.count)} of one cause, at ${largest.place}.` }]),
    { text: "Nothing is lost." },
  ];
}

function tabs(filters: DeadLetterFilters, address: PageAddress) {
  const tab = (label: string, side: DeadLetterFilters["side"]) => ({
    label,
    href: filterHref(address, { side }),
    current: filters.side === side,
  });
  return [tab("Both sides", undefined), tab("Outbox, on its way out", "outbox"), tab("Inbox, while handled", "inbox")];
}

function chips(filters: DeadLetterFilters, address: PageAddress): readonly FilterChip[] {
  const drop = (name: string): string => filterHref(address, { [name]: undefined });
  return [
    filters.requeued
      ? { name: "also", value: "requeued since", dropHref: drop("requeued") }
      : { name: "only", value: "not requeued yet" },
    ...(filters.place === undefined ? [] : [{ name: "place", value: filters.place, dropHref: drop("place") }]),
    ...(filters.fingerprint === undefined
      ? []
      : [{ name: "cause", value: filters.fingerprint.slice(0, 12), dropHref: drop("fingerprint") }]),
  ];
}

function Nothing({ view, filters, address }: Omit<DeadLettersViewProps, "problems">) {
  const narrowed = filters.side !== undefined || filters.place !== undefined || filters.fingerprint !== undefined;
  return (
    <EmptyState
      title={narrowed && view.open > 0 ? "No dead letter matches." : "Every message arrived or is still trying."}
      text={
        <>
          Checked <Time at={view.at} now={view.at} form="ago" />. {formatCount(view.open)} open in all.
        </>
      }
      actions={
        filters.requeued ? undefined : (
          <ButtonLink small href={filterHref(address, { requeued: "true" })}>
            Show those requeued since
          </ButtonLink>
        )
      }
    />
  );
}

interface GroupProps {
  readonly group: DeadLetterGroup;
  readonly view: View;
  readonly address: PageAddress;
  readonly first: boolean;
}

function Group({ group, view, address, first }: GroupProps) {
  const whyNot = view.requeue.allowed ? undefined : (view.requeue.whyNot ?? "Not offered now.");
  return (
    <Section
      space={first ? "small" : "normal"}
      title={
        <span className={own["title"]}>
          <Glyph name="dead" /> {formatCount(group.count)} × {group.errorCode}
        </span>
      }
      note={`${group.side === "outbox" ? "on the way to" : "handled by"} ${group.place}`}
      right={
        <>
          first <Time at={group.firstAt} now={view.at} form="ago" />, last{" "}
          <Time at={group.lastAt} now={view.at} form="ago" />
        </>
      }
    >
      <p className={own["cause"]}>
        {group.error} <span>{group.types.join(", ")}</span>
      </p>
      <DataTable
        label={`Dead letters: ${group.errorCode} at ${group.place}`}
        columns={COLUMNS}
        rows={group.rows.map((row) => tableRow(row, group.error, view.at, address, whyNot))}
      />
      {group.rows.length < group.count && (
        <Note>
          {formatCount(group.rows.length)} of {formatCount(group.count)}, newest first.{" "}
          <Link
            href={
              group.side === "outbox"
                ? `/outbox?state=dead&topic=${encodeURIComponent(group.place)}`
                : `/inbox?state=dead&range=all&consumer=${encodeURIComponent(group.place)}`
            }
          >
            See all of them
          </Link>
        </Note>
      )}
    </Section>
  );
}

function tableRow(
  row: DeadLetterRow,
  cause: string,
  now: string,
  address: PageAddress,
  whyNot: string | undefined,
): TableRow {
  return {
    id: row.id,
    label: `${row.type} dead at ${row.place}`,
    href: `/${row.side}/${row.messageId}`,
    copy: row.messageId,
    cells: {
      message: (
        <span className={styles["message"]}>
          {row.type} <Id value={row.messageId} plain />
        </span>
      ),
      operation:
        row.operationId === undefined ? (
          <span className={styles["quiet"]}>none</span>
        ) : (
          <Link href={`/operations/${row.operationId}`}>
            <Id value={row.operationId} plain />
          </Link>
        ),
      attempts: row.attempts,
      since: <Time at={row.deadAt} now={now} />,
      error:
        row.error === cause ? (
          <span className={styles["quiet"]}>the same</span>
        ) : (
          <span className={styles["soft"]}>{row.error}</span>
        ),
      act:
        row.requeuedAt === undefined ? (
          <RequeueButton name={`${row.side}:${row.messageId}`} address={address} whyNot={whyNot} />
        ) : (
          <span className={styles["quiet"]}>
            requeued <Time at={row.requeuedAt} now={now} form="ago" />
          </span>
        ),
    },
  };
}
