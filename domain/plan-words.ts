import { filtersOfScope, scopeOfPlan } from "./filters/plan-scope";
import { glyphWord } from "./glyph";
import { formatAmount } from "./money";
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
  const chips = scopeChips(filter);
  if (scopeOfPlan(filter) !== undefined)
    return chips.length === 0 ? "every operation" : chips.map(({ name, value }) => `${name} ${value}`).join(", ");
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
  reconcile_operations: "asked about at the provider",
  release_operations: "released, so that its key may run again",
  purge_bodies: "purged of its bodies, its fingerprint kept",
};

export interface ScopeChip {
  readonly name: string;
  readonly value: string;
}

const shortTime = (at: string): string => `${at.slice(0, 16).replace("T", " ")} UTC`;

/** The frozen filter, one entry for each part of it; empty for named rows. */
export function scopeChips(filter: Readonly<Record<string, unknown>>): readonly ScopeChip[] {
  const scope = scopeOfPlan(filter);
  if (scope === undefined)
    return Object.entries(LABELS).flatMap(([name, label]) => {
      const value = filter[name];
      return typeof value === "string" ? [{ name: label, value }] : [];
    });
  const { states, attention, from, to, min, max, currency, operation, client, account, reference, key, error } =
    filtersOfScope(scope);
  const money = (minor: string | undefined) =>
    minor === undefined ? undefined : formatAmount(BigInt(minor), currency ?? "EUR");
  const parts: Readonly<Record<string, string | undefined>> = {
    state: states.length === 0 ? undefined : states.map((state) => glyphWord(state).toLowerCase()).join(" or "),
    only: attention ? "unknown or stale" : undefined,
    operation,
    client,
    account,
    reference,
    key,
    error,
    currency,
    "at least": money(min),
    "at most": money(max),
    from: from === undefined ? undefined : shortTime(from),
    until: to === undefined ? undefined : shortTime(to),
  };
  return Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Whether what a kind acts on are operations; otherwise dead letters. */
export function aboutOperations(kind: PlanKindName): boolean {
  return kind === "reconcile_operations" || kind === "release_operations" || kind === "purge_bodies";
}

/** What a row did when it is done, as a sentence about many ends. */
export const KIND_DONE: Readonly<Record<PlanKindName, string>> = {
  requeue_dead_letters: "set going again",
  discard_dead_letters: "discarded",
  reconcile_operations: "became certain",
  release_operations: "released",
  purge_bodies: "purged",
};

/** How the outcome of a row begins whose provider was asked and gave no final answer. */
export const STILL_UNKNOWN = "Asked, still unknown";

/** What a kind never does. */
export const KIND_NEVER: Readonly<Record<PlanKindName, string>> = {
  requeue_dead_letters: "Ids and bodies stay the same. No provider is called and no payment is touched.",
  discard_dead_letters: "What was discarded cannot be taken back. No message is edited, no money moves.",
  reconcile_operations: "No money is sent: the provider is only asked. A settled answer cannot be taken back.",
  release_operations: "Nobody is asked and no money is sent. A key whose command was sent is never released.",
  purge_bodies: "A purge cannot be taken back. Key, fingerprint, state and events stay, so no key runs twice.",
};
