import { PLAN_KINDS, PLAN_STATES, type PlanKindName, type PlanState } from "@/domain/plans/plan";
import type { PlanResult } from "@/presentation/plan/plan-results";
import { PLAN_VERDICTS, type PlanVerdict } from "@/presentation/plan/plan-verdicts";
import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";

/** Filters of the list of plans. */
export interface PlanFilters {
  readonly state: readonly PlanState[];
  readonly kind?: PlanKindName | undefined;
}

export function parsePlanFilters(search: SearchInput): Parsed<PlanFilters> {
  const reader = readSearch(search);
  return reader.done({
    state: reader.many("state", PLAN_STATES),
    kind: reader.choice("kind", PLAN_KINDS, undefined),
  });
}

export function planSearch(filters: PlanFilters): string {
  return buildSearch({ ...filters });
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
  readonly verdict?: PlanVerdict | undefined;
}

export function parsePlanItemFilters(search: SearchInput): Parsed<PlanItemFilters> {
  const reader = readSearch(search);
  return reader.done({
    show: reader.choice("show", ITEM_TABS, "all"),
    verdict: reader.choice("verdict", PLAN_VERDICTS, undefined),
  });
}

export function planItemSearch({ show, verdict }: PlanItemFilters): string {
  return buildSearch({ show: show === "all" ? undefined : show, verdict });
}
