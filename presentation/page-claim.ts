/**
 * A sentence of a page as a value: what must hold of the facts for it to be said, and its wording. A sentence is only ever said through
 * its predicate, so a test can hold each of them against the rows. Pure.
 *
 * @typeParam Facts what was counted; words use nothing else
 */
export interface PageClaim<Facts> {
  /** Names it in tests and reports. */
  readonly name: string;
  readonly holds: (facts: Facts) => boolean;
  /** One sentence or a clause of one. Only asked while it holds. */
  readonly words: (facts: Facts) => string;
}

/** @returns the claims that hold, in their order */
export function claimsThatHold<Facts, Claim extends PageClaim<Facts>>(
  claims: readonly Claim[],
  facts: Facts,
): readonly Claim[] {
  return claims.filter((claim) => claim.holds(facts));
}

/** @returns the words of the claims that hold, in their order */
export function claimWords<Facts>(claims: readonly PageClaim<Facts>[], facts: Facts): readonly string[] {
  return claimsThatHold(claims, facts).map((claim) => claim.words(facts));
}
