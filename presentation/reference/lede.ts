import { statements, type TonedClaim, type ClaimStatement } from "./claim";
import type { MoneyKeyFacts, ReferenceFacts } from "./facts";
import { amounts } from "./headline";
import { isOwed, ledgerGaps } from "./ledger";
import { timesMoved, isRecorded, keyCounts, ofOutcome, sums, wasSent } from "./outcomes";

/** What else is to be known of the reference, below its first sentence. */
const LEDE: readonly TonedClaim<ReferenceFacts>[] = [
  {
    name: "others_never_sent",
    holds: (facts) => others(facts).length > 0 && !others(facts).some(wasSent),
    words: (facts) => {
      const count = others(facts).length;
      const refused = others(facts).every(({ state }) => state === "FAILED_REPLAYABLE");
      const verb = refused ? (count === 1 ? "was refused" : "were refused") : "ended";
      return `The other ${count === 1 ? "key" : `${String(count)} keys`} ${verb} before anything was sent.`;
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

export function lede(facts: ReferenceFacts): readonly ClaimStatement[] {
  return statements(LEDE, facts);
}

/** Keys that moved nothing, beside one that did. */
function others(facts: ReferenceFacts): readonly MoneyKeyFacts[] {
  return keyCounts(facts).charges > 0 ? ofOutcome(facts.payments, "none") : [];
}

function given({ reversals }: ReferenceFacts, kind: MoneyKeyFacts["kind"]) {
  return sums(
    reversals.filter((effect) => effect.kind === kind),
    timesMoved,
  );
}

export function isDuplicateReference({ errorCode }: MoneyKeyFacts): boolean {
  return errorCode === "payment.duplicate_reference";
}
