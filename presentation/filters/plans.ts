import { PLAN_KINDS, PLAN_STATES } from "@/domain/plans/plan";
import { buildSearch, readSearch, type Parsed, type SearchInput } from "./search";
import { ITEM_TABS, type PlanFilters, type PlanItemFilters } from "@/domain/lists/filters";
import { PLAN_ITEM_VERDICTS } from "@/domain/plans/item-verdicts";

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

export function parsePlanItemFilters(search: SearchInput): Parsed<PlanItemFilters> {
  const reader = readSearch(search);
  return reader.done({
    show: reader.choice("show", ITEM_TABS, "all"),
    verdict: reader.choice("verdict", PLAN_ITEM_VERDICTS, undefined),
  });
}

export function planItemSearch({ show, verdict }: PlanItemFilters): string {
  return buildSearch({ show: show === "all" ? undefined : show, verdict });
}
