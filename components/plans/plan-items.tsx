import { EmptyState } from "@/components/feedback/notice";
import { DataTable } from "@/components/table/data-table";
import { Pager } from "@/components/table/pager";
import type { TableColumn, TableRow } from "@/components/table/types";
import { ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Tabs, type TabLink } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { aboutOperations } from "@/presentation/plan/plan-words";
import { resultFace } from "@/presentation/plan/plan-results";
import { ITEM_VERDICT_WORDS } from "@/presentation/plan/item-verdict-words";
import { topicLabel } from "@/domain/messages/topic-label";
import type { PlanItemRow, PlanView } from "@/presentation/views/plans";
import shared from "@/components/ui/shared.module.css";
import type { PlanItemFilters } from "@/domain/lists/filters";
import { PlanFace, planVerdictFace } from "./plan-face";
import styles from "./plans.module.css";

export interface PlanItemsProps {
  readonly plan: PlanView;
  readonly filters: PlanItemFilters;
  readonly address: PageAddress;
}

const COLUMNS: readonly TableColumn[] = [
  { id: "verdict", header: "Dry run", phone: "left" },
  { id: "message", header: "Message", phone: "left", link: true, wrap: true },
  { id: "place", header: "Where", phone: "hidden", wide: true },
  { id: "outcome", header: "Outcome", phone: "right" },
  { id: "because", header: "Because", wrap: true, grow: true, phone: "full" },
];
const OPERATIONS: readonly TableColumn[] = [
  { id: "verdict", header: "Dry run", phone: "left" },
  { id: "message", header: "Operation", phone: "left", link: true, wrap: true },
  { id: "amount", header: "Amount", align: "right", phone: "right" },
  { id: "outcome", header: "Outcome", phone: "right" },
  { id: "because", header: "Because", wrap: true, grow: true, phone: "full" },
];
const ENDED: TableColumn = { id: "at", header: "Ended", align: "right", phone: "hidden" };

/** The rows of a plan: what was said of each, and what became of it. */
export function PlanItems({ plan, filters, address }: PlanItemsProps) {
  const { rows, previous, next } = plan.items;
  return (
    <div className={styles["items"]}>
      <Tabs label="Rows" tabs={tabs(plan, filters, address)} />
      {rows.length === 0 ? (
        <EmptyState
          title="No row of this plan matches."
          text="Every row is in one of the other views."
          actions={
            <ButtonLink small href={filterHref(address, { show: undefined, verdict: undefined })}>
              Show all
            </ButtonLink>
          }
        />
      ) : (
        <>
          <DataTable
            label="Rows of this plan"
            columns={columnsOf(plan)}
            rows={rows.map((row) => tableRow(row, plan))}
          />
          <Pager
            note={`In their order, 50 a page${filters.verdict === undefined ? "" : `, only ${ITEM_VERDICT_WORDS[filters.verdict].toLowerCase()}`}`}
            newerHref={previous === undefined ? undefined : hrefWith(address, { cursor: previous, dialog: undefined })}
            olderHref={next === undefined ? undefined : hrefWith(address, { cursor: next, dialog: undefined })}
          />
        </>
      )}
    </div>
  );
}

function columnsOf(plan: PlanView): readonly TableColumn[] {
  const columns = aboutOperations(plan.kind) ? OPERATIONS : COLUMNS;
  return plan.startedAt === undefined ? columns : [...columns, ENDED];
}

function tabs(plan: PlanView, filters: PlanItemFilters, address: PageAddress): readonly TabLink[] {
  const { counts, results } = plan;
  const tab = (label: string, show: PlanItemFilters["show"], count: number): TabLink => ({
    label,
    href: filterHref(address, { show: show === "all" ? undefined : show }),
    current: filters.show === show,
    count: formatCount(count),
  });
  return [
    tab("All", "all", plan.total),
    ...(counts.waiting > 0 || filters.show === "waiting"
      ? [tab(plan.endedAt === undefined ? "Waiting" : "Untouched", "waiting", counts.waiting)]
      : []),
    ...(plan.kind === "reconcile_operations" && plan.startedAt !== undefined
      ? settledTabs(plan, filters, tab)
      : plan.startedAt !== undefined || filters.show === "done"
        ? [tab("Done", "done", counts.done)]
        : []),
    tab(plan.startedAt === undefined ? "Left alone" : "Skipped", "skipped", results.moved + results.left),
    ...(counts.failed > 0 || filters.show === "failed" ? [tab("Failed", "failed", counts.failed)] : []),
    ...(plan.changed > 0 || filters.show === "changed" ? [tab("Changed since", "changed", plan.changed)] : []),
  ];
}

/** What was asked about ends in three ways; "done" alone would hide which. */
function settledTabs(
  { results }: PlanView,
  { show }: PlanItemFilters,
  tab: (label: string, show: PlanItemFilters["show"], count: number) => TabLink,
): readonly TabLink[] {
  return [
    tab("Succeeded", "succeeded", results.succeeded),
    tab("Declined", "declined", results.declined),
    tab("Still unknown", "unknown", results.unknown),
    ...(results.done > 0 || show === "done"
      ? [tab("Done", "done", results.succeeded + results.declined + results.done)]
      : []),
  ];
}

function tableRow(row: PlanItemRow, plan: PlanView): TableRow {
  const { side, place = "" } = row.label;
  const id = row.label["messageId"] ?? row.targetId;
  const what = row.label["type"] ?? row.label["kind"] ?? "Operation";
  const face = planVerdictFace(row.verdict);
  const result = resultFace(row.result, plan.kind, plan.endedAt !== undefined);
  return {
    id: String(row.position),
    label: `Row ${String(row.position)}, ${what}: ${result.word}`,
    href: side === undefined ? `/operations/${row.targetId}` : `/${side}/${id}`,
    copy: id,
    cells: {
      verdict: (
        <StateTag name={face.glyph} tone={face.tone}>
          <span className={styles["verdict"]}>{ITEM_VERDICT_WORDS[row.verdict]}</span>
        </StateTag>
      ),
      message: (
        <span className={styles["message"]}>
          {what} <Id value={row.label["key"] ?? id} plain />
        </span>
      ),
      amount: row.amount === undefined ? null : <Money minor={row.amount.minor} currency={row.amount.currency} />,
      place: (
        <span className={shared["soft"]} title={place}>
          {row.label["placeName"] ?? topicLabel(place)}
        </span>
      ),
      outcome: <PlanFace face={result} />,
      because: <span className={styles["because"]}>{row.outcome ?? row.verdictReason}</span>,
      at: row.endedAt === undefined ? null : <Time at={row.endedAt} now={plan.at} form="clock" />,
    },
  };
}
