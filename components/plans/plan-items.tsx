import { EmptiedPage } from "@/components/feedback/emptied-page";
import { EmptyState } from "@/components/feedback/notice";
import { drawnCells, columnsOf, type Cells, type TableRow } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { wholeSum } from "@/components/table/money-sum";
import { pageLinks, Pager } from "@/components/table/pager";
import { ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Tabs, type TabLink } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { tableColumns } from "@/presentation/list/columns";
import { filterHref, isLaterPage, type PageAddress } from "@/presentation/list/page-address";
import { aboutOperations } from "@/presentation/plan/plan-words";
import { endedWords } from "@/presentation/plan/plan-list-claims";
import { resultFace } from "@/presentation/plan/plan-results";
import { answerFace, answerWords } from "@/presentation/plan/plan-answers";
import { ITEM_VERDICT_WORDS } from "@/presentation/plan/item-verdict-words";
import { topicLabel } from "@/domain/messages/topic-label";
import { isAttachedKind, PURGE_ATTACHED_KIND, unitOf, unitsOf } from "@/domain/plans/plan";
import type { PlanItemRow, PlanView } from "@/presentation/views/plans";
import type { PlanItemFilters } from "@/domain/lists/filters";
import { PlanFace, planVerdictFace } from "./plan-face";
import { capital } from "@/presentation/format/words";
import styles from "./plans.module.css";

export interface PlanItemsProps {
  readonly plan: PlanView;
  readonly filters: PlanItemFilters;
  readonly address: PageAddress;
}

const ITEMS = tableColumns({
  verdict: { label: "Dry run", phone: "left" },
  message: { label: "Message", phone: "left", link: true, wrap: true },
  amount: { label: "Amount", align: "right", phone: "right" },
  place: { label: "Where", wide: true },
  outcome: { label: "Outcome", phone: "right" },
  because: { label: "Because", wrap: true, grow: true, phone: "full" },
  at: { label: "Ended", align: "right" },
});

/** The rows of a plan: what was said of each, and what became of it. */
export function PlanItems({ plan, filters, address }: PlanItemsProps) {
  const { rows } = plan.items;
  const columns = itemColumns(plan);
  const cells = drawnCells(ITEMS, columns, CELLS);
  const whole = plan.items.next === undefined && plan.items.previous === undefined;
  const listed = rows.map((row) => ({ ...tableRow(row, plan), money: row.amount, cells: cells(row, plan) }));
  return (
    <div className={styles["items"]}>
      <Tabs label={capital(unitsOf(plan.kind))} tabs={tabs(plan, filters, address)} />
      {rows.length === 0 && isLaterPage(address) ? (
        <EmptiedPage address={address} />
      ) : rows.length === 0 ? (
        <EmptyState
          title={`No ${unitOf(plan.kind)} of this plan matches.`}
          actions={
            <ButtonLink small href={filterHref(address, { show: undefined, verdict: undefined })}>
              Show all
            </ButtonLink>
          }
        />
      ) : (
        <>
          <DataTable
            label={`${capital(unitsOf(plan.kind))} of this plan`}
            columns={columns}
            sum={whole ? wholeSum(listed, columns, { count: "message", amount: "amount" }) : undefined}
            rows={listed}
          />
          <Pager
            note={`In their order, 50 a page${filters.verdict === undefined ? "" : `, only ${ITEM_VERDICT_WORDS[filters.verdict].toLowerCase()}`}`}
            {...pageLinks(address, plan.items, ["dialog"])}
          />
        </>
      )}
    </div>
  );
}

function itemColumns(plan: PlanView) {
  const operations = aboutOperations(plan.kind);
  return columnsOf(ITEMS, {
    labels: { message: operations ? "Operation" : plan.kind === PURGE_ATTACHED_KIND ? "Batch" : "Message" },
    without: [
      operations ? "place" : "amount",
      ...(plan.startedAt === undefined ? (["at"] as const) : []),
      // Before it runs every row waits, and what the provider said needs the room.
      ...(plan.startedAt === undefined && plan.asking !== undefined ? (["outcome"] as const) : []),
    ],
  });
}

function tabs(plan: PlanView, filters: PlanItemFilters, address: PageAddress): readonly (TabLink | false)[] {
  const { counts, results, startedAt } = plan;
  const tab = (label: string, show: PlanItemFilters["show"], count: number): TabLink => ({
    label,
    href: filterHref(address, { show: show === "all" ? undefined : show }),
    current: filters.show === show,
    count: formatCount(count),
  });
  const shown = (count: number, show: PlanItemFilters["show"]): boolean => count > 0 || filters.show === show;
  // What was asked about ends in three ways; "done" alone would hide which.
  const settled = plan.kind === "reconcile_operations" && startedAt !== undefined;
  const ended = results.succeeded + results.declined + results.done + results.closed;
  const before = shown(results.settled, "settled");
  return [
    tab("All", "all", plan.total),
    shown(counts.waiting, "waiting") &&
      tab(plan.endedAt === undefined ? "Waiting" : "Untouched", "waiting", counts.waiting),
    settled && tab("Succeeded", "succeeded", results.succeeded),
    settled && tab("Declined", "declined", results.declined),
    settled && tab("Stayed unknown", "unknown", results.unknown),
    before && tab("Settled meanwhile", "settled", results.settled),
    settled && shown(results.done, "done") && tab("Done", "done", ended),
    !settled && (startedAt !== undefined || filters.show === "done") && tab("Done", "done", counts.done),
    tab(startedAt === undefined ? "Left alone" : "Skipped", "skipped", results.moved + results.left),
    shown(counts.failed, "failed") && tab("Failed", "failed", counts.failed),
    shown(plan.changed, "changed") && tab("Changed since", "changed", plan.changed),
  ];
}

function tableRow(row: PlanItemRow, plan: PlanView): Omit<TableRow, "cells"> {
  const { side } = row.label;
  const result = resultFace(row.result, plan.kind, plan.endedAt !== undefined);
  return {
    id: String(row.position),
    label: `${unitOf(plan.kind) === "batch" ? "" : `Row ${String(row.position)}, `}${whatOf(row)}: ${result.word}`,
    href: isAttachedKind(plan.kind)
      ? `/sources/${encodeURIComponent(row.label["place"] ?? "")}/${plan.kind === PURGE_ATTACHED_KIND ? "retention" : "dead-letters"}`
      : side === undefined
        ? `/operations/${row.targetId}`
        : `/${side}/${idOf(row)}`,
    copy: row.label["row"] ?? idOf(row),
  };
}

function idOf({ label, targetId }: PlanItemRow): string {
  return label["messageId"] ?? targetId;
}

function whatOf({ label }: PlanItemRow): string {
  return label["type"] ?? label["kind"] ?? "Operation";
}

/** How it ended; before that, what the provider said; and that it said something else when it ran. */
function becauseOf(row: PlanItemRow): string {
  const ended = endedWords(row);
  return ended === "" ? (answerWords(row) ?? row.verdictReason) : ended;
}

const CELLS: Cells<typeof ITEMS, PlanItemRow, PlanView> = {
  verdict: (row, plan) => {
    if (row.lookUp !== undefined) return <PlanFace face={answerFace(row.lookUp, plan.asking?.state ?? "asked")} />;
    const face = planVerdictFace(row.verdict);
    return (
      <StateTag name={face.glyph} tone={face.tone}>
        <span className="ink">{ITEM_VERDICT_WORDS[row.verdict]}</span>
      </StateTag>
    );
  },
  message: (row) => (
    <span className={styles["message"]}>
      {whatOf(row)} <Id value={row.label["key"] ?? idOf(row)} plain />
    </span>
  ),
  amount: ({ amount }) => amount && <Money minor={amount.minor} currency={amount.currency} />,
  place: ({ label: { place = "", placeName } }) => (
    <span className="soft" title={place}>
      {placeName ?? topicLabel(place)}
    </span>
  ),
  outcome: (row, plan) => <PlanFace face={resultFace(row.result, plan.kind, plan.endedAt !== undefined)} />,
  because: (row, plan) => (
    <span className={styles["because"]}>
      {becauseOf(row)}{" "}
      {row.outcome === undefined && row.lookedUpAt !== undefined && row.lookUp !== "not_asked" && (
        <Time at={row.lookedUpAt} now={plan.at} form="clock" />
      )}
    </span>
  ),
  at: (row, plan) => row.endedAt && <Time at={row.endedAt} now={plan.at} form="clock" />,
};
