import type { InboxState, OperationState } from "@/domain/idempotency/states";
import type { Older, TimeWindow } from "./window";
import type { AuditChain } from "@/domain/access/audit-chain";
import type { PlanKindName, PlanState } from "@/domain/plans/plan";
import type { PlanResult } from "@/domain/plans/plan-results";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";

/**
 * View models of the console: plain data that goes from a read verb to a page or as JSON over the admin API. Ids and amounts
 * are strings, times RFC 3339 UTC with microseconds, durations milliseconds.
 */

/** `STALE` is IN_PROGRESS whose lease ran out. */
export type ShownState = OperationState | "STALE";

/** What the server sorts by; the first is the standard. */
export const OPERATION_SORTS = ["created", "amount", "expires"] as const;

export type OperationSort = (typeof OPERATION_SORTS)[number];

export interface OperationFilters extends TimeWindow {
  readonly states: readonly ShownState[];
  readonly operation?: string | undefined;
  /** Name or id of a client; with a leading `!`: any but this one. */
  readonly client?: string | undefined;
  readonly account?: string | undefined;
  readonly reference?: string | undefined;
  readonly key?: string | undefined;
  readonly error?: string | undefined;
  readonly currency?: string | undefined;
  /** Minor units as text. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** Only what is unknown or stale. */
  readonly attention: boolean;
  readonly sort: OperationSort;
  readonly direction: "asc" | "desc";
}

/** Whether everything asked for is open; those are listed whatever their age. */
export function onlyOpenStates(filters: Pick<OperationFilters, "states" | "attention">): boolean {
  const open = filters.states.every(
    (state) => state === "IN_PROGRESS" || state === "STALE" || state === "UNKNOWN_REQUIRES_RECOVERY",
  );
  return filters.attention || (filters.states.length > 0 && open);
}

/** `open`: pending and dead. `failing`: pending, and tried in vain at least once. */
export const OUTBOX_TABS = ["open", "pending", "failing", "dead", "discarded", "published"] as const;

export type OutboxTab = (typeof OUTBOX_TABS)[number];

export const OUTBOX_CARRIERS = ["http", "nats", "rabbitmq", "mail"] as const;

export type OutboxCarrier = (typeof OUTBOX_CARRIERS)[number];

/** The window bounds `published` only: what is open is shown whole. */
export interface OutboxFilters extends TimeWindow {
  readonly state: OutboxTab;
  readonly topic?: string | undefined;
  /** What carries it; of a published one, what carried it. */
  readonly transport?: OutboxCarrier | undefined;
  readonly type?: string | undefined;
  readonly aggregate?: string | undefined;
  readonly error?: string | undefined;
  readonly operationId?: string | undefined;
  /** Written at least this long ago. */
  readonly older?: Older | undefined;
}

export interface InboxFilters extends TimeWindow {
  readonly states: readonly InboxState[];
  readonly consumer?: string | undefined;
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  readonly messageId?: string | undefined;
  readonly error?: string | undefined;
  readonly operationId?: string | undefined;
  /** Received at least this long ago. */
  readonly older?: Older | undefined;
  /** Only what waits and was tried in vain at least once. */
  readonly failing: boolean;
  /** Only messages that arrived more than once. */
  readonly duplicates: boolean;
  /** Only message ids that came with another payload. */
  readonly mismatches: boolean;
}

export interface AuditFilters extends TimeWindow {
  /** Undefined: the tenant's. */
  readonly chain?: AuditChain | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Of the entry, of what it is about, or of the request. */
  readonly id?: string | undefined;
}

export const CONFLICT_RANGES = ["24h", "7d"] as const;

type ConflictRange = (typeof CONFLICT_RANGES)[number];

export const DEFAULT_CONFLICT_RANGE: ConflictRange = "24h";

/** What narrows the conflicts of a tenant. */
export interface ConflictFilters extends TimeWindow {
  readonly range: ConflictRange;
  /** Event id of the conflict that is open beside the list. */
  readonly conflict?: string | undefined;
  /** Name of a client, as events carry it. */
  readonly client?: string | undefined;
  readonly operation?: string | undefined;
}

/** The filters without the place; the time may be left to its default. */
export type ConflictSearch = Partial<Omit<ConflictFilters, "conflict">>;

/** @returns the window to read, the default where none is named */
export function conflictWindow({ range = DEFAULT_CONFLICT_RANGE, from, to }: ConflictSearch): TimeWindow {
  return { range, from, to };
}

/** What a plan may freeze, and what the page shows. Every part is in the address. */
export interface DeadLetterScope {
  readonly side?: "outbox" | "inbox" | undefined;
  /** Topic or consumer. */
  readonly place?: string | undefined;
  readonly type?: string | undefined;
  readonly error?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly operationId?: string | undefined;
  /** Dead at or after, RFC 3339 UTC. */
  readonly from?: string | undefined;
  /** Dead before. */
  readonly to?: string | undefined;
}

export const GROUP_SORTS = ["last", "count"] as const;

export type GroupSort = (typeof GROUP_SORTS)[number];

export interface DeadLetterFilters extends DeadLetterScope {
  /** Also those that were requeued, closed or discarded since. */
  readonly settled: boolean;
  readonly sort: GroupSort;
  /** Every cause, not only the first ones. */
  readonly all: boolean;
}

export interface ReplayOutcomeFilters extends TimeWindow {
  readonly operation?: string | undefined;
  readonly client?: string | undefined;
}

export interface InboxExportFilters extends TimeWindow {
  readonly consumer?: string | undefined;
  readonly source?: string | undefined;
  readonly messageId?: string | undefined;
}

export const METRIC_GROUPS = ["operation", "client"] as const;

export type MetricGroup = (typeof METRIC_GROUPS)[number];

/** Filters of the list of plans. */
export interface PlanFilters {
  readonly state: readonly PlanState[];
  readonly kind?: PlanKindName | undefined;
}

export const ITEM_TABS = [
  "all",
  "waiting",
  "done",
  "succeeded",
  "declined",
  "unknown",
  "skipped",
  "failed",
  "changed",
] as const;

/** The results of a row that a view of a plan's rows shows; each row is in exactly one of the views that a plan's page offers. */
export const SHOWN_RESULTS: Readonly<
  Record<Exclude<(typeof ITEM_TABS)[number], "all" | "changed">, readonly PlanResult[]>
> = {
  waiting: ["waiting"],
  done: ["done", "succeeded", "declined"],
  succeeded: ["succeeded"],
  declined: ["declined"],
  unknown: ["unknown"],
  skipped: ["moved", "left"],
  failed: ["failed"],
};

/** Filters of the rows of one plan. */
export interface PlanItemFilters {
  readonly show: (typeof ITEM_TABS)[number];
  readonly verdict?: PlanItemVerdict | undefined;
}

/** Conflicts of one group that can be walked. */
export const CONFLICT_IDS = 100;
