import { holding, type PageClaim } from "@/domain/page-claim";
import type { VerdictClause } from "../views/common";

export interface TonedClaim<Facts> extends PageClaim<Facts> {
  readonly tone?: VerdictClause["tone"] | ((facts: Facts) => VerdictClause["tone"]) | undefined;
}

/** A claim that holds, in words. */
export interface ClaimStatement extends VerdictClause {
  readonly name: string;
}

/** @returns what holds, in the order of the claims */
export function statements<Facts>(claims: readonly TonedClaim<Facts>[], facts: Facts): readonly ClaimStatement[] {
  return holding(claims, facts).map(({ name, tone = "fine", words }) => ({
    name,
    text: words(facts),
    tone: typeof tone === "function" ? tone(facts) : tone,
  }));
}

/** @returns the first that holds: claims that shut each other out */
export function statement<Facts>(claims: readonly TonedClaim<Facts>[], facts: Facts): readonly ClaimStatement[] {
  return statements(claims, facts).slice(0, 1);
}
