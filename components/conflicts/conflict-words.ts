import type { ConflictFilters } from "@/domain/lists/filters";
import type { ConflictsView } from "@/presentation/views/conflicts";

const DAY = "24 hours";

/** A time of its own, instead of a range. */
export function isOwnTime({ from, to }: ConflictFilters): boolean {
  return from !== undefined || to !== undefined;
}

export function timeWords(filters: ConflictFilters): string {
  if (isOwnTime(filters)) return "this time";
  return filters.range === "24h" ? DAY : "7 days";
}

/** @returns the conflict that is open while the address opens none */
export function firstConflict(view: ConflictsView, { conflict }: ConflictFilters): string | undefined {
  return conflict ?? view.groups[0]?.eventIds[0];
}
