/**
 * One sentence that a page may state: it is stated exactly where its predicate holds over the facts. There is no sentence
 * without a predicate, so each can be held against the rows by its name.
 */
export interface PageClaim<Facts> {
  readonly name: string;
  readonly holds: (facts: Facts) => boolean;
  /** Called only where it holds. */
  readonly words: (facts: Facts) => string;
}

/** @returns the claims that hold, in their order */
export function holding<Facts, Claim extends PageClaim<Facts>>(
  claims: readonly Claim[],
  facts: Facts,
): readonly Claim[] {
  return claims.filter((claim) => claim.holds(facts));
}

/** The first claim that holds, as its words: for a place that has room for one. @throws Error when none does */
export function firstWords<Facts>(claims: readonly PageClaim<Facts>[], facts: Facts): string {
  const claim = claims.find((each) => each.holds(facts));
  if (claim === undefined) throw new Error(`none of ${claims.map(({ name }) => name).join(", ")} holds`);
  return claim.words(facts);
}
