import type { PlanKindName } from "./plan";

const LABELS: Readonly<Record<string, string>> = {
  side: "side",
  place: "place",
  type: "type",
  error: "error",
  fingerprint: "cause",
  operationId: "operation",
  from: "dead from",
  to: "dead before",
};

/** What a plan froze, as one line: "place ledger, error http.503", "12 named rows", "what plan 01a1… left". */
export function scopeWords(filter: Readonly<Record<string, unknown>>): string {
  const { ids, rerunOf } = filter;
  if (typeof ids === "number") return ids === 1 ? "1 named row" : `${String(ids)} named rows`;
  if (typeof rerunOf === "string") return `what plan ${rerunOf.slice(-8)} left`;
  const parts = Object.entries(LABELS).flatMap(([name, label]) => {
    const value = filter[name];
    return typeof value === "string" ? [`${label} ${value}`] : [];
  });
  return parts.length === 0 ? "every open dead letter" : parts.join(", ");
}

/** What a row does when it acts, by kind. */
export const KIND_EFFECTS: Readonly<Record<PlanKindName, string>> = {
  requeue_dead_letters: "set going again under the same id",
  discard_dead_letters: "dropped for good, its row kept",
};
