/**
 * A sentence of a page as a value: what must hold of the facts for it to be said, and its wording. A sentence is only ever said through
 * its predicate, so a test can hold each of them against the rows by its name. Pure.
 *
 * @typeParam Facts what was read; words use nothing else
 */
export interface PageClaim<Facts> {
  /** Names it in tests and reports. */
  readonly name: string;
  readonly holds: (facts: Facts) => boolean;
  /** One sentence or a clause of one. Called only where it holds. */
  readonly words: (facts: Facts) => string;
}

/** @returns the claims that hold, in their order */
export function holding<Facts, Claim extends PageClaim<Facts>>(
  claims: readonly Claim[],
  facts: Facts,
): readonly Claim[] {
  return claims.filter((claim) => claim.holds(facts));
}

/** @returns the words of the claims that hold, in their order */
export function claimWords<Facts>(claims: readonly PageClaim<Facts>[], facts: Facts): readonly string[] {
  return holding(claims, facts).map((claim) => claim.words(facts));
}

/** The first claim that holds, for a place that has room for one. @throws Error when none does: the last one holds always */
export function firstClaim<Claim extends PageClaim<Facts>, Facts>(claims: readonly Claim[], facts: Facts): Claim {
  const claim = claims.find((each) => each.holds(facts));
  if (claim === undefined) throw new Error(`none of ${claims.map(({ name }) => name).join(", ")} holds`);
  return claim;
}

/** The words of the first claim that holds. @throws Error when none does */
export function firstWords<Facts>(claims: readonly PageClaim<Facts>[], facts: Facts): string {
  return firstClaim(claims, facts).words(facts);
}
