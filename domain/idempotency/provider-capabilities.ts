import { claimWords, type PageClaim } from "../page-claim";

/**
 * What a provider can do about a lost answer, as its adapter says and its operations register it: pages must know it too,
 * as a provider that can neither be asked nor sent the same key again leaves only a person.
 */
export interface ProviderFacts {
  /** Stands in the journal of provider calls. */
  readonly name: string;
  /** Hours for which a repeated key is answered with the first effect instead of a second one; 0: it never is. */
  readonly dedupesForHours: number;
  /** Whether it can be asked by our key what became of an effect. */
  readonly queryable: boolean;
}

/** Stood in the place of the provider's reference where a person settled an operation and knew none. Rows of earlier releases have it; it names no object. */
export const REFERENCE_BY_HAND = "confirmed by a person";

/** Stands in the place of a finding where a person decided to wait. */
export const KEPT_WAITING = "kept waiting by a person";

/** So long after the claim the look-ups end and only a person settles it. */
export const GIVE_UP_ASKING_HOURS = 72;

/** What a person has to know about a provider that cannot be asked: the first that holds, none of one that can. */
export const PROVIDER_GAP_CLAIMS: readonly PageClaim<ProviderFacts>[] = [
  {
    name: "only a person",
    holds: onlyAPersonSettles,
    words: () =>
      "This provider can neither be asked nor sent the same key again, so no machine can learn what became of it. Only a person with evidence from the provider's own records settles it.",
  },
  {
    name: "sent again",
    holds: ({ queryable }) => !queryable,
    words: (facts) =>
      `This provider cannot be asked. For ${String(sentAgainForHours(facts))} h after the claim recovery sends the same command under the same key, which can only repeat the first effect. After that only a person with evidence settles it.`,
  },
];

/**
 * What a person has to know about a provider that cannot be asked.
 * @returns undefined for one that can
 */
export function providerGap(facts: ProviderFacts | undefined): string | undefined {
  return facts && claimWords(PROVIDER_GAP_CLAIMS, facts)[0];
}

/** Whether no machine can learn what became of a sent request: it is unknown until a person with evidence settles it. */
export function onlyAPersonSettles(facts: Pick<ProviderFacts, "dedupesForHours" | "queryable">): boolean {
  return !facts.queryable && facts.dedupesForHours === 0;
}

/** Hours after the claim in which recovery sends the same command again to a provider that cannot be asked. */
export function sentAgainForHours({ dedupesForHours }: Pick<ProviderFacts, "dedupesForHours">): number {
  return Math.min(dedupesForHours, GIVE_UP_ASKING_HOURS);
}
