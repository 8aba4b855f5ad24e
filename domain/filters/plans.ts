import { PLAN_ITEM_STATES, PLAN_KINDS, PLAN_STATES, type PlanKindName, type PlanState } from "@/domain/plan";
import { PLAN_VERDICTS, type PlanVerdict } from "@/domain/plan-verdicts";
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

export const ITEM_TABS = ["all", ...PLAN_ITEM_STATES, "changed"] as const;

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
