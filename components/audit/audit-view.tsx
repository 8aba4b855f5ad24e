import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { ListProblems } from "@/components/outbox/list-problems";
import { drawnCells, columnsOf, type TableColumn } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { pageLinks, Pager } from "@/components/table/pager";
import type { Opened } from "@/components/table/use-opened";
import { WalkKeys } from "@/components/table/walk-keys";
import { NarrowerTime } from "@/components/feedback/narrower-time";
import { ButtonLink } from "@/components/ui/button";
import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { Note } from "@/components/ui/row";
import { windowChip } from "@/components/ui/time/window-chip";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { ListTools, type ListFacts } from "@/components/views/list-tools";
import { lookedHours, narrowerWords, stoppedWords } from "@/presentation/list/list-answers";
import { plural } from "@/presentation/format/words";
import { cutMiddle } from "@/presentation/format/cut-middle";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { AUDIT } from "@/presentation/list/record-lists";
import type { AuditDetail, AuditFold, AuditView as View } from "@/presentation/views/audit";
import { AUDIT_CELLS } from "./audit-cells";
import { OpenEntry } from "./audit-entry";
import { ChainCheck } from "./chain-check";
import { auditLabel, auditLabels } from "@/domain/access/audit-action";
import { RANGES } from "@/domain/lists/window";
import type { AuditFilters } from "@/domain/lists/filters";
import styles from "./audit.module.css";

export interface AuditViewProps {
  readonly view: View;
  readonly filters: AuditFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly now: string;
  /** The entry that the address opened when the page was read. */
  readonly opened: Opened<AuditDetail> | undefined;
  /** The address asks for the chain to be verified at once. */
  readonly verify: boolean;
  /** Why this person cannot verify it. */
  readonly verifyNot?: string | undefined;
  /** Why this person does not read the access log. */
  readonly accessNot?: string | undefined;
  readonly facts: ListFacts;
}

const FIELDS: readonly FilterField[] = [
  {
    name: "range",
    label: "Time",
    options: RANGES.map((range) => ({ value: range, label: range === "all" ? "all time" : `last ${range}` })),
  },
  { name: "from", label: "From", time: true },
  { name: "to", label: "Before", time: true },
  { name: "action", label: "Action", placeholder: "operations.resolve, sessions.sign_in" },
  { name: "actor", label: "Who" },
  { name: "subjectType", label: "Kind of subject", placeholder: "operation" },
  { name: "subjectId", label: "Subject id" },
  { name: "id", label: "Any id", placeholder: "entry, subject or request" },
];

export function AuditView(props: AuditViewProps) {
  const { filters, problems, address, verify, verifyNot, facts, opened, now } = props;
  const columns = columnsOf(AUDIT, { address });
  return (
    <>
      <PageHead lede={<>{LEDES[filters.chain ?? "tenant"]} Entries are only ever added.</>}>
        <PageTitle>Audit</PageTitle>
      </PageHead>
      <Chains {...props} />
      <div className={styles["split"]}>
        <div>
          <div className={styles["filters"]}>
            <FilterChips
              chips={chips(filters, address, now)}
              add={<FilterMenu fields={FIELDS} />}
              right={<ListTools facts={facts} address={address} columns={columns} />}
            />
          </div>
          <ListProblems problems={problems} />
          <List {...props} columns={columns} />
        </div>
        <div className={styles["side"]}>
          <OpenEntry opened={opened} chain={filters.chain} now={now} />
          <ChainCheck key={filters.chain} chain={filters.chain} begin={verify} notOffered={verifyNot} />
        </div>
      </div>
    </>
  );
}

const LEDES = {
  tenant: "Every action on this tenant, of a person or a program, once, with what was noted before and after.",
  access: "Who signed in and out, who was refused, and changes of people and roles, of the whole deployment.",
} as const;

const CHIPS = {
  action: "action",
  actor: "who",
  subjectType: "kind",
  subjectId: "subject",
  id: "id",
  cause: "cause",
} as const;

/** What was looked for in one chain is not in the other; the time stays. */
const OTHER_CHAIN = Object.fromEntries([...Object.keys(CHIPS), "chain", "verify"].map((name) => [name, undefined]));

/** The chains of the audit; one that this person does not read stays visible and says why. */
function Chains({ filters, address, accessNot }: AuditViewProps) {
  const onAccess = filters.chain === "access";
  return (
    <div className={styles["chains"]}>
      <Tabs
        label="Chains of the audit"
        tabs={[
          { href: filterHref(address, OTHER_CHAIN), label: "This tenant", current: !onAccess },
          accessNot === undefined && {
            href: filterHref(address, { ...OTHER_CHAIN, chain: "access" }),
            label: "Access log",
            current: onAccess,
          },
        ]}
      />
      {accessNot !== undefined && <Note>{accessNot}</Note>}
    </div>
  );
}

function chips(filters: AuditFilters, address: PageAddress, now: string): readonly FilterChip[] {
  const named = Object.entries(CHIPS).flatMap(([name, label]) => {
    const value = filters[name as keyof typeof CHIPS];
    return value === undefined
      ? []
      : [{ name: label, value: cutMiddle(value), dropHref: filterHref(address, { [name]: undefined }) }];
  });
  return [windowChip(filters, address, now), ...named];
}

interface ListProps extends AuditViewProps {
  readonly columns: readonly TableColumn[];
}

/** "Requeue in the outbox, 48 entries". */
function said({ actions, entries }: AuditFold): string {
  return `${auditLabels(actions)}, ${plural(entries, "entry", "entries")}`;
}

/** The entries of a line, one by one. */
function entriesHref({ cause, from, to }: AuditFold, address: PageAddress): string {
  return filterHref(address, { cause, from, to });
}

function List({ view, filters, address, now, columns }: ListProps) {
  const { list } = view;
  if (list.kind === "too_broad") {
    const hours = lookedHours(filters, list.hours);
    return (
      <TooBroad
        title="This search took too long."
        text={stoppedWords({ seconds: list.stoppedAfterSeconds }, narrowerWords(hours))}
        actions={<NarrowerTime address={address} hours={hours} />}
      />
    );
  }
  if (list.rows.length === 0) return <Nothing filters={filters} address={address} now={now} />;
  const cells = drawnCells(AUDIT, columns, AUDIT_CELLS);
  return (
    <>
      <WalkKeys ids={list.rows.flatMap(({ id, fold }) => (fold === undefined ? [id] : []))} />
      <DataTable
        label="Audit entries"
        columns={columns}
        rows={list.rows.map((row) => ({
          id: row.id,
          ...(row.fold === undefined
            ? { label: `${auditLabel(row.action)} by ${row.actorName}`, place: { open: row.id } }
            : { label: `${said(row.fold)} by ${row.actorName}`, href: entriesHref(row.fold, address) }),
          copy: row.id,
          cells: cells(row, now),
        }))}
        newer="entries"
      />
      <Pager
        note={`Newest first, 50 ${filters.cause === undefined ? "lines" : "entries"} a page`}
        {...pageLinks(address, list)}
      />
    </>
  );
}

function Nothing({ filters, address, now }: Pick<AuditViewProps, "filters" | "address" | "now">) {
  const narrowed = Object.keys(CHIPS).some((name) => filters[name as keyof typeof CHIPS] !== undefined);
  return (
    <EmptyState
      title={narrowed ? "No entry matches these filters." : "No entry in this time."}
      text={
        <>
          Checked <Time at={now} now={now} form="ago" />. Reading leaves no entry, except an export and the showing of
          bodies.
        </>
      }
      actions={
        <>
          {filters.range !== "all" && (
            <ButtonLink small href={filterHref(address, { range: "all", from: undefined, to: undefined })}>
              Show all time
            </ButtonLink>
          )}
          {narrowed && (
            <ButtonLink small href={filterHref(address, { ...OTHER_CHAIN, chain: filters.chain })}>
              Clear the filters
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
