import type { ProviderFacts } from "@/engine/index";

/** What each provider that has an adapter here can do about a lost answer. */
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

/** @returns what an adapter of this name says of itself */
export function providerFacts(name: ProviderName): ProviderFacts & { readonly name: ProviderName } {
  return { name, ...CAPABILITIES[name] };
}
