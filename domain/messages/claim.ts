/**
 * One sentence that a page may say about messages: when it is true, and how it reads. A page says nothing else, so a test can hold
 * every sentence against the rows.
 */
export interface MessageClaim<Facts> {
  /** Names it in a test. */
  readonly name: string;
  /** Whether the sentence is true of these facts. */
  readonly holds: (facts: Facts) => boolean;
  /** The sentence. Asked only where it holds. */
  readonly words: (facts: Facts) => string;
}

/** Claims of which the first that holds is said: the last one holds always. */
export function firstClaim<Claim extends MessageClaim<Facts>, Facts>(claims: readonly Claim[], facts: Facts): Claim {
  const found = claims.find((claim) => claim.holds(facts));
  if (found === undefined) throw new Error("no claim holds");
  return found;
}

/** @returns every claim that holds, in order */
export function holdingClaims<Claim extends MessageClaim<Facts>, Facts>(
  claims: readonly Claim[],
  facts: Facts,
): readonly Claim[] {
  return claims.filter((claim) => claim.holds(facts));
}
