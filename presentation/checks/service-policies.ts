import type { ChecklistFacts, PolicyFact } from "@/domain/checks/checklist-facts";
import { type CheckClaim, type FactsOf, findings, type Findings, unserved, windowsOf } from "./finding";

/** Checks of what the policies of a service say. */

const contradictory = ({ policies }: ChecklistFacts): readonly PolicyFact[] =>
  policies.filter((policy) => policy.findings.length > 0);

const POLICY_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "no policy contradicts itself",
    verdict: "holds",
    href: "/policies",
    holds: (facts) => facts.policies.length > 0 && contradictory(facts).length === 0,
    words: ({ policies }) => `Every policy is free of contradictions: ${windowsOf(policies)}.`,
  },
  {
    name: "policies that contradict themselves",
    verdict: "fails",
    href: "/policies",
    holds: (facts) => contradictory(facts).length > 0,
    words: (facts) =>
      `A policy contradicts itself: ${contradictory(facts)
        .map(({ operation }) => operation)
        .join(", ")}.`,
  },
];

export function policiesConsistent(facts: ChecklistFacts): Findings {
  return findings(POLICY_CLAIMS, facts);
}

const takes = ({ policies }: ChecklistFacts): readonly PolicyFact[] =>
  policies.filter(({ money }) => money === "takes");
const returns = ({ policies }: ChecklistFacts): readonly PolicyFact[] =>
  policies.filter(({ money }) => money === "returns");

/** The first operation that takes money, and the others that take or return it, each with its policy. */
interface PairFacts {
  readonly create: PolicyFact;
  readonly others: readonly PolicyFact[];
}
type Pair = FactsOf<PairFacts>;
const all = ({ it }: Pair): readonly PolicyFact[] => [it.create, ...it.others];
const late = ({ it }: Pair): readonly PolicyFact[] =>
  it.others.filter(({ policy }) => policy.expired !== it.create.policy.expired);
const oneWindow = (facts: Pair): boolean => new Set(all(facts).map(({ policy }) => policy.ttlHours)).size === 1;

const PAIR_CLAIMS: readonly CheckClaim<Pair>[] = [
  {
    name: "all need a key",
    verdict: "holds",
    holds: (facts) => unserved(facts, all(facts)).length === 0,
    words: (facts) =>
      `${all(facts)
        .map(({ kind }) => kind)
        .join(", ")} need a key alike.`,
  },
  {
    name: "some need no key",
    verdict: "fails",
    holds: (facts) => unserved(facts, all(facts)).length > 0,
    words: (facts) => `No key is needed by ${unserved(facts, all(facts)).join(", ")}.`,
  },
  {
    name: "alike after the window",
    verdict: "holds",
    href: "/policies",
    holds: (facts) => late(facts).length === 0,
    words: ({ it }) =>
      `After the window all of them ${it.create.policy.expired === "reject" ? "are refused" : "run again"}.`,
  },
  {
    name: "otherwise after the window",
    verdict: "fails",
    href: "/policies",
    holds: (facts) => late(facts).length > 0,
    words: (facts) => {
      const kinds = late(facts).map(({ kind }) => kind);
      return `After the window ${kinds.join(" and ")} ${kinds.length === 1 ? "is" : "are"} treated otherwise than ${facts.it.create.kind}.`;
    },
  },
  {
    name: "one window",
    verdict: "note",
    holds: oneWindow,
    words: ({ it }) => `All of them stand for ${String(it.create.policy.ttlHours)} h.`,
  },
  {
    name: "windows differ",
    verdict: "note",
    href: "/policies",
    holds: (facts) => !oneWindow(facts),
    words: (facts) => `Their windows differ: ${windowsOf(all(facts))}.`,
  },
];

const NO_PAIR_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "none takes money",
    verdict: "note",
    holds: (facts) => takes(facts).length === 0,
    words: () => "No operation with a policy here takes money.",
  },
  {
    name: "none gives money back",
    verdict: "note",
    holds: (facts) => returns(facts).length === 0,
    words: () => "No operation with a policy here gives money back.",
  },
];

export function reversalsAlike(facts: ChecklistFacts): Findings {
  const [create, ...others] = [...takes(facts), ...returns(facts)];
  const none = findings(NO_PAIR_CLAIMS, facts);
  return create === undefined || none.length > 0 ? none : findings(PAIR_CLAIMS, { ...facts, it: { create, others } });
}
