import { AUDIT_CHAINS, type AuditChain } from "@/domain/access/audit-chain";
import { ANSWER_OUTCOMES, INBOX_STATES, OPERATION_STATES, type OperationState } from "@/domain/idempotency/states";
import { METRIC_RANGES } from "@/domain/metrics/chart-window";
import { HEAT_COMPARES, HEAT_MEASURES, HEAT_RANGES } from "@/domain/metrics/heatmap";
import { PLAN_ITEM_VERDICTS } from "@/domain/plans/item-verdicts";
import { PLAN_KINDS, PLAN_STATES } from "@/domain/plans/plan";
import { ITEM_TABS } from "@/domain/plans/item-tabs";
import { OLDER, RANGES, type Range, type TimeWindow } from "./window";

/**
 * What may narrow each list of the console, declared once: the types that reads take, the addresses of pages, the parameters of the
 * admin API and their documentation follow from it. Ids and amounts are strings, times RFC 3339 UTC.
 */

/** One filter. @typeParam Value what a read gets */
export interface Filter<Value> {
  readonly kind: "text" | "many" | "choice" | "flag" | "time" | "amount" | "uuid";
  /** Of a choice, or of many. */
  readonly values?: readonly string[];
  /** What an address without it means. */
  readonly otherwise?: Value;
  /** Its name in an address, where that is another. */
  readonly as?: string;
  /** A time without a zone is UTC. */
  readonly zoneless?: true;
}
export type FilterSet = Readonly<Record<string, Filter<unknown>>>;

type ValueOf<Each> = Each extends Filter<infer Value> ? Value : never;
type Needed<Filters> = {
  [Name in keyof Filters]: undefined extends ValueOf<Filters[Name]> ? never : Name;
}[keyof Filters];
/** The values of a set; those that may be left out are optional. */
export type FiltersOf<Filters> = { readonly [Name in Needed<Filters>]: ValueOf<Filters[Name]> } & {
  readonly [Name in Exclude<keyof Filters, Needed<Filters>>]?: ValueOf<Filters[Name]>;
};

type Optional = Filter<string | undefined>;
export const text: Optional = { kind: "text" };
const uuid: Optional = { kind: "uuid" };
/** RFC 3339 with zone. */
export const time: Optional = { kind: "time" };
/** Minor units as text; in an address a decimal of the set's currency. */
const amount: Optional = { kind: "amount" };
const flag: Filter<boolean> = { kind: "flag", otherwise: false };
const many = <Value extends string>(values: readonly Value[], as?: string): Filter<readonly Value[]> => ({
  kind: "many",
  values,
  ...(as !== undefined && { as }),
});
export const choice = <Value extends string>(values: readonly Value[]): Filter<Value | undefined> => ({
  kind: "choice",
  values,
});
export const standard = <Value extends string>(otherwise: NoInfer<Value>, values: readonly Value[]): Filter<Value> => ({
  kind: "choice",
  values,
  otherwise,
});
/** `from` stands instead of the range, `to` ends either. */
const timeWindow = (otherwise: Range = "24h") => ({ range: standard(otherwise, RANGES), from: time, to: time });

/** `STALE` is IN_PROGRESS whose lease ran out. */
export type ShownState = OperationState | "STALE";
export const SHOWN_STATES: readonly ShownState[] = [...OPERATION_STATES, "STALE"];

/** What the server sorts by; the first is the standard. */
export const OPERATION_SORTS = ["created", "amount", "expires"] as const;
export type OperationSort = (typeof OPERATION_SORTS)[number];

/** How a key was used again; `too_fast`: sooner than the shortest wait of the published retry schedule. */
export const KEY_REUSES = ["too_fast"] as const;

/** Instead of the name of a client: the requests that named none. No client can have it as its name. */
export const NO_CLIENT_NAME = "(none)";

/** What an operation wrote to the outbox, of what is kept there. */
export const OPERATION_MESSAGES = ["none"] as const;
/** What became of operations in a time, whoever was told: `unknown`: an attempt was sent and its outcome became unknown. */
export const BECAME = ["unknown"] as const;

export const OPERATION_FILTERS = {
  states: many(SHOWN_STATES, "state"),
  operation: text,
  /** Name or id of a client; with a leading `!`: any but this one. */
  client: text,
  account: text,
  reference: text,
  key: text,
  error: text,
  /** Only what is unknown or stale. */
  attention: flag,
  /** Answered so at least once in the time: that is then the time of the answers, whenever the operations were created. */
  answered: choice(ANSWER_OUTCOMES),
  /** Became so in the time, as the charts count it: its caller was answered so first, or recovery found it without a caller. */
  became: choice(BECAME),
  /** Their answers in the time went to this client, by its name as events carry it, or to requests that named none; the key may be another's. */
  answeredTo: text,
  /** Reused in the time: too fast after the request before of the same client and key. */
  reused: choice(KEY_REUSES),
  messages: choice(OPERATION_MESSAGES),
  currency: text,
  min: amount,
  max: amount,
  sort: standard("created", OPERATION_SORTS),
  direction: standard("desc", ["asc", "desc"]),
  ...timeWindow(),
};
export type OperationFilters = FiltersOf<typeof OPERATION_FILTERS>;

/** Whether everything asked for is open; those are listed whatever their age. */
export function onlyOpenStates(filters: Pick<OperationFilters, "states" | "attention">): boolean {
  const open = filters.states.every(
    (state) => state === "IN_PROGRESS" || state === "STALE" || state === "UNKNOWN_REQUIRES_RECOVERY",
  );
  return filters.attention || (filters.states.length > 0 && open);
}

/** `open`: pending and dead. `failing`: pending, and tried in vain at least once. */
export const OUTBOX_TABS = ["open", "pending", "failing", "dead", "discarded", "published"] as const;
export const OUTBOX_CARRIERS = ["http", "nats", "rabbitmq", "kafka", "mail"] as const;

/** The window bounds `published` only: what is open is shown whole. */
export const OUTBOX_FILTERS = {
  state: standard("open", OUTBOX_TABS),
  topic: text,
  /** What carries it; of a published one, what carried it. */
  transport: choice(OUTBOX_CARRIERS),
  type: text,
  aggregate: text,
  error: text,
  operationId: uuid,
  /** Written at least this long ago. */
  older: choice(OLDER),
  ...timeWindow(),
};
export type OutboxFilters = FiltersOf<typeof OUTBOX_FILTERS>;

/** What a plan freezes of published messages, as its row keeps it: the filters of their list, its time window made absolute. */
export type PublishedScope = Pick<
  OutboxFilters,
  "topic" | "transport" | "type" | "aggregate" | "error" | "operationId" | "from" | "to"
> & { readonly state: "published" };

export const INBOX_FILTERS = {
  states: many(INBOX_STATES, "state"),
  consumer: text,
  source: text,
  type: text,
  messageId: text,
  error: text,
  operationId: uuid,
  /** Received at least this long ago. */
  older: choice(OLDER),
  /** Only what waits and was tried in vain at least once. */
  failing: flag,
  /** Only messages that arrived more than once. */
  duplicates: flag,
  /** Only message ids that came with another payload. */
  mismatches: flag,
  ...timeWindow(),
};
export type InboxFilters = FiltersOf<typeof INBOX_FILTERS>;

const auditChain: Filter<AuditChain | undefined> = { kind: "choice", values: AUDIT_CHAINS, otherwise: "tenant" };
export const AUDIT_FILTERS = {
  /** Undefined: the tenant's. */
  chain: auditChain,
  action: text,
  actor: text,
  subjectType: text,
  subjectId: text,
  /** Of the entry, of what it is about, or of the request. */
  id: text,
  /** What made the entries: `plan:` or `request:` and its id. */
  cause: text,
  ...timeWindow("30d"),
};
export type AuditFilters = FiltersOf<typeof AUDIT_FILTERS>;

export const CONFLICT_RANGES = ["24h", "7d"] as const;
export const DEFAULT_CONFLICT_RANGE = "24h";

/** What narrows the conflicts of a tenant. */
export const CONFLICT_FILTERS = {
  ...timeWindow(),
  range: standard(DEFAULT_CONFLICT_RANGE, CONFLICT_RANGES),
  /** Event id of the conflict that is open beside the list. */
  conflict: uuid,
  /** Name of a client, as events carry it. */
  client: text,
  operation: text,
};
export type ConflictFilters = FiltersOf<typeof CONFLICT_FILTERS>;

/** The filters without the place; the time may be left to its default. */
export type ConflictSearch = Partial<Omit<ConflictFilters, "conflict">>;

/** @returns the window to read, the default where none is named */
export function conflictWindow({ range = DEFAULT_CONFLICT_RANGE, from, to }: ConflictSearch): TimeWindow {
  return { range, from, to };
}

const DEAD_LETTER_SCOPE = {
  side: choice(["outbox", "inbox"]),
  /** Topic or consumer. */
  place: text,
  type: text,
  error: text,
  fingerprint: text,
  operationId: uuid,
  /** Dead at or after. */
  from: time,
  /** Dead before. */
  to: time,
};
/** What a plan may freeze, and what the page shows. Every part is in the address. */
export type DeadLetterScope = FiltersOf<typeof DEAD_LETTER_SCOPE>;

export const GROUP_SORTS = ["last", "count"] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

export const DEAD_LETTER_FILTERS = {
  ...DEAD_LETTER_SCOPE,
  /** Also those that were requeued, closed or discarded since. */
  settled: flag,
  /** Every cause, not only the first ones. */
  all: flag,
  sort: standard("last", GROUP_SORTS),
};
export type DeadLetterFilters = FiltersOf<typeof DEAD_LETTER_FILTERS>;

/** @returns only what narrows the rows, without what is not set. */
export function scopeOf(filters: DeadLetterScope): DeadLetterScope {
  const names = Object.keys(DEAD_LETTER_SCOPE) as (keyof DeadLetterScope)[];
  return Object.fromEntries(names.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])));
}

/** Of one operation: by its id, or by its key where that stands for one only. `operation` says which of the key, by name. */
export const RETRY_LOG_FILTERS = { operationId: uuid, key: text, operation: text };
export type RetryLogFilters = FiltersOf<typeof RETRY_LOG_FILTERS>;

export const REPLAY_OUTCOME_FILTERS = { operation: text, client: text, ...timeWindow() };
export type ReplayOutcomeFilters = FiltersOf<typeof REPLAY_OUTCOME_FILTERS>;

export const INBOX_EXPORT_FILTERS = { consumer: text, source: text, messageId: text, ...timeWindow() };
export type InboxExportFilters = FiltersOf<typeof INBOX_EXPORT_FILTERS>;

export const METRIC_GROUPS = ["operation", "client"] as const;
export type MetricGroup = (typeof METRIC_GROUPS)[number];

/** A field for date and time writes no zone, and the page says UTC beside it. */
const fieldTime: Optional = { kind: "time", zoneless: true };
/** What the charts cover and how they are divided. */
export const METRIC_FILTERS = {
  range: standard("6h", METRIC_RANGES),
  from: fieldTime,
  to: fieldTime,
  group: choice(METRIC_GROUPS),
};
export type MetricFilters = FiltersOf<typeof METRIC_FILTERS>;

/** Clients by time: what is counted, how far back, beside what, and which cell is open. */
export const HEATMAP_FILTERS = {
  show: standard("replayed", HEAT_MEASURES),
  range: standard("6h", HEAT_RANGES),
  compare: standard("last-week", HEAT_COMPARES),
  /** Only clients whose name contains this, whatever the case. */
  find: text,
  /** Of the clients, from 1. */
  page: text,
  /** Of the open cell, by its name; or `NO_CLIENT_NAME`. */
  client: text,
  /** Start of the open cell. */
  cell: time,
};
export type HeatmapFilters = FiltersOf<typeof HEATMAP_FILTERS>;

export const PLAN_FILTERS = { state: many(PLAN_STATES), kind: choice(PLAN_KINDS) };
export type PlanFilters = FiltersOf<typeof PLAN_FILTERS>;

export const PLAN_ITEM_FILTERS = { show: standard("all", ITEM_TABS), verdict: choice(PLAN_ITEM_VERDICTS) };
export type PlanItemFilters = FiltersOf<typeof PLAN_ITEM_FILTERS>;

/** Conflicts of one group that can be walked. */
export const CONFLICT_IDS = 100;
