import type { VerdictClause } from "../views/common";

/** A sentence of a page and what makes it true: it is shown when it holds, and never without that. */
export interface PageClaim<Facts> {
  readonly name: string;
  readonly tone?: VerdictClause["tone"] | ((facts: Facts) => VerdictClause["tone"]) | undefined;
  readonly holds: (facts: Facts) => boolean;
  readonly words: (facts: Facts) => string;
}

/** A claim that holds, in words. */
export interface ClaimStatement extends VerdictClause {
  readonly name: string;
}

/** @returns what holds, in the order of the claims */
export function statements<Facts>(claims: readonly PageClaim<Facts>[], facts: Facts): readonly ClaimStatement[] {
  return claims
    .filter((claim) => claim.holds(facts))
    .map(({ name, tone = "fine", words }) => ({
      name,
      text: words(facts),
      tone: typeof tone === "function" ? tone(facts) : tone,
    }));
}

/** @returns the first that holds: claims that shut each other out */
export function statement<Facts>(claims: readonly PageClaim<Facts>[], facts: Facts): readonly ClaimStatement[] {
  return statements(claims, facts).slice(0, 1);
}
