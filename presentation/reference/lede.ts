import { plural } from "../format/words";
import { statements, type Claim, type Statement } from "./claim";
import type { EffectFacts, ReferenceFacts } from "./facts";
import { amounts } from "./headline";
import { isOwed, ledgerGaps } from "./ledger";
import { isMoved, isRecorded, keyCounts, ofOutcome, sums, wasSent } from "./outcomes";

/** What else is to be known of the reference, below its first sentence. */
export const LEDE: readonly Claim<ReferenceFacts>[] = [
  {
    name: "others_never_sent",
    holds: (facts) => others(facts).length > 0 && !others(facts).some(wasSent),
    words: (facts) => {
      const count = others(facts).length;
      return count === 1
        ? "The other key ended before anything was sent."
        : `The other ${String(count)} keys ended before anything was sent.`;
    },
  },
  {
    name: "refused_for_reference",
    holds: (facts) => ofOutcome(facts.payments, "none").some(isDuplicateReference),
    words: ({ payments }) => {
      const refused = ofOutcome(payments, "none").filter(isDuplicateReference).length;
      return `${plural(refused, "key")} ${refused === 1 ? "was" : "were"} refused because the reference had a payment already.`;
    },
  },
  {
    name: "refunded",
    holds: (facts) => given(facts, "refund").length > 0,
    words: (facts) => `${amounts(given(facts, "refund"))} was refunded.`,
  },
  {
    name: "voided",
    holds: (facts) => given(facts, "void").length > 0,
    words: (facts) => `${amounts(given(facts, "void"))} was voided.`,
  },
  {
    name: "given_back_by_hand",
    holds: ({ reversals }) => ofOutcome(reversals, "by_hand").length > 0,
    words: ({ reversals }) =>
      `${amounts(sums(reversals, isRecorded))} is recorded as given back, settled by hand. The provider has not confirmed it.`,
  },
  {
    name: "ledger_due",
    holds: (facts) => ledgerGaps(facts).due.length > 0,
    words: (facts) => `The ledger has not posted ${amounts(ledgerGaps(facts).due)} yet.`,
  },
  {
    name: "ledger_agrees",
    holds: (facts) => {
      const { late, due, differs } = ledgerGaps(facts);
      return late.length + due.length === 0 && !differs && [...facts.payments, ...facts.reversals].some(isOwed);
    },
    words: () => "The ledger has the same amounts.",
  },
];

export function lede(facts: ReferenceFacts): readonly Statement[] {
  return statements(LEDE, facts);
}

/** Keys that moved nothing, beside one that did. */
function others(facts: ReferenceFacts): readonly EffectFacts[] {
  return keyCounts(facts).charges > 0 ? ofOutcome(facts.payments, "none") : [];
}

function given({ reversals }: ReferenceFacts, kind: EffectFacts["kind"]) {
  return sums(
    reversals.filter((effect) => effect.kind === kind),
    isMoved,
  );
}

export function isDuplicateReference({ errorCode }: EffectFacts): boolean {
  return errorCode === "payment.duplicate_reference";
}
