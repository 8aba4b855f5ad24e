import { LEDGER_DUE_MS } from "../operation/operation-claims";
import type { Money } from "@/domain/money";
import type { MoneyKeyFacts, ReferenceFacts } from "./facts";
import { timesMoved, isRecorded, movedAt, sums } from "./outcomes";

interface LedgerGaps {
  /** Moved a while ago, and no entry stands for it. */
  readonly late: readonly Money[];
  /** Moved just now. */
  readonly due: readonly Money[];
  /** An entry whose amount is not what moved, or that stands for money that did not move. */
  readonly differs: boolean;
}

/** How the ledger stands to what moved. A charge that the provider made twice under one key has one entry at the most. */
export function ledgerGaps(facts: ReferenceFacts): LedgerGaps {
  const effects = [...facts.payments, ...facts.reversals];
  const missing = effects.filter((effect) => isOwed(effect) && effect.ledger.length === 0);
  const late = missing.filter((effect) => Date.parse(facts.at) - Date.parse(movedAt(effect)) > LEDGER_DUE_MS);
  return {
    late: sums(late, () => 1),
    due: sums(
      missing.filter((effect) => !late.includes(effect)),
      () => 1,
    ),
    differs: effects.some(differs),
  };
}

/** Its money moved and is in our books, so that an entry has to follow. */
export function isOwed(effect: MoneyKeyFacts): boolean {
  return timesMoved(effect) > 0 || isRecorded(effect) > 0;
}

function differs(effect: MoneyKeyFacts): boolean {
  const { ledger, money } = effect;
  if (ledger.length === 0 || money === undefined) return false;
  if (!isOwed(effect)) return true;
  const sum = ledger.reduce((total, { minor }) => total + minor, 0n);
  return sum !== money.minor || ledger.some(({ currency }) => currency !== money.currency);
}
