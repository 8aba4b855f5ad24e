import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { policyBounds, type PolicyField } from "@/domain/idempotency/policy";
import { formatCount, formatDuration } from "../format/display-time";
import { plural } from "../format/words";
import type { VerdictClause } from "../views/common";

/** What was counted of the policies of a tenant. */
export interface PoliciesFacts {
  readonly operations: number;
  /** Settings that this tenant decided. */
  readonly decided: number;
  readonly risky: number;
  readonly contradictions: number;
}
interface Toned extends PageClaim<PoliciesFacts> {
  readonly tone: VerdictClause["tone"];
}

/** What the list of policies opens with. */
const POLICIES_CLAIMS: readonly Toned[] = [
  {
    name: "defaults",
    tone: "fine",
    holds: ({ decided }) => decided === 0,
    words: ({ operations }) => `${plural(operations, "operation")}, all at the deployment's defaults.`,
  },
  {
    name: "decided",
    tone: "fine",
    holds: ({ decided }) => decided > 0,
    words: ({ operations, decided }) =>
      `${plural(operations, "operation")}, ${plural(decided, "setting")} set by this tenant.`,
  },
  {
    name: "risky",
    tone: "doubt",
    holds: ({ risky }) => risky > 0,
    words: ({ risky }) => `${plural(risky, "risky choice")}.`,
  },
  {
    name: "contradictions",
    tone: "broken",
    holds: ({ contradictions }) => contradictions > 0,
    words: ({ contradictions }) => `${plural(contradictions, "contradiction")}.`,
  },
];

export function policiesClauses(facts: PoliciesFacts): readonly VerdictClause[] {
  return holding(POLICIES_CLAIMS, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));
}

/** A policy that is being written. */
export interface DraftFacts {
  /** Settings that differ. */
  readonly changed: number;
  readonly kind: string;
}
const DRAFT_CLAIMS: readonly PageClaim<DraftFacts>[] = [
  { name: "unchanged", holds: ({ changed }) => changed === 0, words: () => "Nothing is changed yet." },
  {
    name: "changed",
    holds: () => true,
    words: ({ changed, kind }) =>
      `${plural(changed, "setting")} of ${kind.toLowerCase()} would change. No operation runs and no key is removed.`,
  },
];

export function draftWords(facts: DraftFacts): string {
  return firstWords(DRAFT_CLAIMS, facts);
}

/** @param seconds within which every process has read a change */
const IN_FORCE: readonly PageClaim<number>[] = [
  {
    name: "everywhere",
    holds: () => true,
    words: (seconds) =>
      `In force in every process within ${plural(seconds, "second")}. A second click changes nothing.`,
  },
];

export function inForceWords(seconds: number): string {
  return firstWords(IN_FORCE, seconds);
}

/** @param version that another person made while this one wrote */
const MOVED_CLAIMS: readonly PageClaim<number>[] = [
  { name: "moved", holds: () => true, words: (version) => `Somebody made version ${String(version)} meanwhile.` },
];

export function movedWords(version: number): string {
  return firstWords(MOVED_CLAIMS, version);
}

/** A number of a policy. */
export interface BoundsFacts {
  readonly field: PolicyField;
  readonly providerTimeoutMs: number;
}
const bounds = ({ field }: BoundsFacts): string => {
  const [least, most] = policyBounds(field) ?? [0, 0];
  return `From ${formatCount(least)} to ${formatCount(most)}`;
};
const BOUNDS_CLAIMS: readonly PageClaim<BoundsFacts>[] = [
  {
    name: "longer than the timeout",
    holds: ({ field }) => field === "leaseSeconds",
    words: (facts) =>
      `${bounds(facts)}, and longer than the provider timeout, ${formatDuration(facts.providerTimeoutMs)}.`,
  },
  { name: "bounds", holds: () => true, words: (facts) => `${bounds(facts)}.` },
];

/** "From 1 to 3,600.", and what else the number has to be. */
export function boundsWords(facts: BoundsFacts): string {
  return firstWords(BOUNDS_CLAIMS, facts);
}
