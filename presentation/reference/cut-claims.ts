import type { PageClaim } from "@/domain/page-claim";
import { writtenClock } from "@/domain/written-time";
import { plural } from "../format/words";
import type { MoneyKeyFacts, ReferenceFacts } from "./facts";

/** Why a provider is not asked about a key. */
export const LEASED_CLAIMS: readonly PageClaim<Pick<MoneyKeyFacts, "lockedUntil"> & { readonly at: string }>[] = [
  {
    name: "its lease is held",
    holds: ({ lockedUntil, at }) => lockedUntil !== undefined && Date.parse(lockedUntil) > Date.parse(at),
    words: ({ lockedUntil }) => `Its owner holds the lease until ${writtenClock(lockedUntil ?? "")}.`,
  },
];

interface CutFacts extends Pick<ReferenceFacts, "payments" | "reversals" | "more"> {
  /** All that was read. */
  readonly events: number;
  /** Rows of their table. */
  readonly most: number;
}

const cutKeys = ({ payments, reversals }: CutFacts): readonly MoneyKeyFacts[] =>
  [...payments, ...reversals].filter(({ moreRequests }) => moreRequests);

/** What the page leaves out. */
export const CUT_CLAIMS: readonly PageClaim<CutFacts>[] = [
  {
    name: "more keys",
    holds: ({ more }) => more.keys,
    words: ({ payments }) => `More keys carry this reference: only the first ${String(payments.length)} were read.`,
  },
  {
    name: "more refunds and voids",
    holds: ({ more }) => more.reversals,
    words: ({ reversals }) => `Only the first ${String(reversals.length)} refunds and voids were read.`,
  },
  {
    name: "more requests",
    holds: (facts) => cutKeys(facts).length > 0,
    words: (facts) =>
      `Of ${plural(cutKeys(facts).length, "key")} only the first ${String(cutKeys(facts)[0]?.requests.length ?? 0)} requests are shown; each key's page has them all.`,
  },
  {
    name: "more events",
    holds: ({ events, most }) => events > most,
    words: ({ events, most }) => `The table shows the first ${String(most)} of ${String(events)} events.`,
  },
];
