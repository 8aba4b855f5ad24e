import {
  AUDIT_FILTERS,
  choice,
  CONFLICT_FILTERS,
  DEAD_LETTER_FILTERS,
  HEATMAP_FILTERS,
  INBOX_EXPORT_FILTERS,
  INBOX_FILTERS,
  METRIC_FILTERS,
  OPERATION_FILTERS,
  OUTBOX_FILTERS,
  PLAN_FILTERS,
  PLAN_ITEM_FILTERS,
  REPLAY_OUTCOME_FILTERS,
  RETRY_LOG_FILTERS,
  standard,
  type FiltersOf,
  text,
} from "@/domain/lists/filters";
import { DEFAULT_RISK_RANGE, RISK_RANGES } from "@/domain/metrics/risk";
import { CLIENT_RANGES } from "@/presentation/views/clients";
import { CHART_RANGES } from "@/presentation/views/common";
import { FLOW_WINDOWS } from "@/presentation/views/flow";
import { parserOf, searchWriter } from "./search";

export const parseOperationFilters = parserOf(OPERATION_FILTERS);
export const operationSearch = searchWriter(OPERATION_FILTERS);
export const parseOutboxFilters = parserOf(OUTBOX_FILTERS);
export const outboxSearch = searchWriter(OUTBOX_FILTERS);
export const parseInboxFilters = parserOf(INBOX_FILTERS);
export const inboxSearch = searchWriter(INBOX_FILTERS);
export const parseConflictFilters = parserOf(CONFLICT_FILTERS);
export const conflictSearch = searchWriter(CONFLICT_FILTERS);
export const parseDeadLetterFilters = parserOf(DEAD_LETTER_FILTERS);
export const deadLetterSearch = searchWriter(DEAD_LETTER_FILTERS);
export const parsePlanFilters = parserOf(PLAN_FILTERS);
export const planSearch = searchWriter(PLAN_FILTERS);
export const parsePlanItemFilters = parserOf(PLAN_ITEM_FILTERS);
export const parseAuditFilters = parserOf(AUDIT_FILTERS, (parsed) =>
  parsed.filters.chain === "tenant" ? { ...parsed, filters: { ...parsed.filters, chain: undefined } } : parsed,
);
export const auditSearch = searchWriter(AUDIT_FILTERS);

/** A beginning that is not before the end is left out and named, with the end. */
export const parseMetricFilters = parserOf(METRIC_FILTERS, (parsed) => {
  const { from, to, ...rest } = parsed.filters;
  if (from === undefined || to === undefined || from < to) return parsed;
  return { ...parsed, filters: rest, problems: [...parsed.problems, { name: "from", detail: "not before the end" }] };
});

/** Half of what names a cell is none of it: it is left out and named. */
export const parseHeatmapFilters = parserOf(HEATMAP_FILTERS, (parsed) => {
  const { client, cell, ...rest } = parsed.filters;
  if ((client === undefined) === (cell === undefined)) return parsed;
  const problem = { name: "cell", detail: "needs its client and its start" };
  return { ...parsed, filters: rest, problems: [...parsed.problems, problem] };
});
export const heatmapSearch = searchWriter(HEATMAP_FILTERS);

/** Undefined: the range that what has been rolled up so far fills. */
const OVERVIEW_FILTERS = { range: choice(CHART_RANGES) };
export const parseOverviewFilters = parserOf(OVERVIEW_FILTERS);
export const overviewSearch = searchWriter(OVERVIEW_FILTERS);

/** Of the overview itself: beside the range of its strips, the chart of money at risk and the window brushed in it. */
const RISK_FILTERS = {
  ...OVERVIEW_FILTERS,
  risk: standard(DEFAULT_RISK_RANGE, RISK_RANGES),
  currency: OPERATION_FILTERS.currency,
  from: METRIC_FILTERS.from,
  to: METRIC_FILTERS.to,
};
export type RiskFilters = FiltersOf<typeof RISK_FILTERS>;
/** A window that does not begin before its end, or that lacks an edge, is left out and named. */
export const parseRiskFilters = parserOf(RISK_FILTERS, (parsed) => {
  const { from, to, ...rest } = parsed.filters;
  if (from === undefined && to === undefined) return parsed;
  if (from !== undefined && to !== undefined && from < to) return parsed;
  const detail = from === undefined || to === undefined ? "needs the other edge of the window" : "not before the end";
  const problems = [...parsed.problems, { name: from === undefined ? "to" : "from", detail }];
  return { ...parsed, filters: { ...rest, from: undefined, to: undefined }, problems };
});
export const riskSearch = searchWriter(RISK_FILTERS);
const FLOW_WINDOW = { window: standard("now", FLOW_WINDOWS) };
export const parseFlowWindow = parserOf(FLOW_WINDOW);
/** With the node that is selected, and whether the tables have every row. */
export const parseFlowFilters = parserOf({ ...FLOW_WINDOW, node: text, rows: choice(["all"]) });

export const parseClientFilters = parserOf({ range: standard("24h", CLIENT_RANGES) });

export const parseReplayOutcomeFilters = parserOf(REPLAY_OUTCOME_FILTERS);
export const parseInboxExportFilters = parserOf(INBOX_EXPORT_FILTERS);
export const parseRetryLogFilters = parserOf(RETRY_LOG_FILTERS, (parsed) => {
  const { operationId, key } = parsed.filters;
  if ((operationId === undefined) !== (key === undefined) || parsed.problems.length > 0) return parsed;
  return { ...parsed, problems: [{ name: "operationId", detail: "name one operation by operationId or by key" }] };
});
