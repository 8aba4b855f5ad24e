import { claimWords, type PageClaim } from "../page-claim";

/**
 * What each provider that has an adapter can do about a lost answer. Here and not in the adapters, because the pages
 * must know it too: a provider that can neither be asked nor sent the same key again leaves only a person.
 */
export interface ProviderFacts<Name extends string = string> {
  /** Stands in the journal of provider calls. */
  readonly name: Name;
  /** Hours for which a repeated key is answered with the first effect instead of a second one; 0: it never is. */
  readonly dedupesForHours: number;
  /** Whether it can be asked by our key what became of an effect. */
  readonly queryable: boolean;
}

/** Stood in the place of the provider's reference where a person settled an operation and knew none. Rows of earlier releases have it; it names no object. */
export const REFERENCE_BY_HAND = "confirmed by a person";

/** Stands in the place of a finding where a person decided to wait. */
export const KEPT_WAITING = "kept waiting by a person";

const CAPABILITIES = {
  /** The sandbox keeps keys as long as its ledger. */
  sandbox: { dedupesForHours: Infinity, queryable: true },
  /** The sandbox with one of its abilities or both left unused: the other kinds of provider there are. */
  "sandbox-dedupe-only": { dedupesForHours: 24, queryable: false },
  "sandbox-query-only": { dedupesForHours: 0, queryable: true },
  "sandbox-neither": { dedupesForHours: 0, queryable: false },
  /** Stripe may remove keys "after they're at least 24 hours old"; objects are found by metadata. */
  stripe: { dedupesForHours: 24, queryable: true },
} as const satisfies Readonly<Record<string, Omit<ProviderFacts, "name">>>;

export type ProviderName = keyof typeof CAPABILITIES;

/** @returns what an adapter of this name says of itself. */
export function providerFacts(name: ProviderName): ProviderFacts<ProviderName> {
  return { name, ...CAPABILITIES[name] };
}

/** @param name as the journal has it @returns undefined for a provider whose adapter is gone */
export function knownProvider(name: string): ProviderFacts<ProviderName> | undefined {
  return isProviderName(name) ? providerFacts(name) : undefined;
}

function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(CAPABILITIES, name);
}

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
    words: ({ dedupesForHours }) =>
      `This provider cannot be asked. For ${String(dedupesForHours)} h after the claim recovery sends the same command under the same key, which can only repeat the first effect. After that only a person with evidence settles it.`,
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
