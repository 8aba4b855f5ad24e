import { KEPT_WAITING, onlyAPersonSettles, type ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import { holding, type PageClaim } from "@/domain/page-claim";
import { times } from "../format/words";

export interface KnownFacts {
  readonly sent: boolean;
  /** Another service owns its kind and has come past its claim: recovery here frees nothing of it. */
  readonly elsewhere?: boolean | undefined;
  /** Look-ups; of a provider that cannot be asked, how often the command was sent again under its key. */
  readonly checks: number;
  readonly provider?: ProviderFacts | undefined;
  /** Words of the last of them that was answered: "processing", "never received" … */
  readonly lastFinding?: string | undefined;
  readonly webhook?: "succeeded" | "failed" | "processing" | undefined;
}

const deaf = ({ provider }: KnownFacts): boolean => provider?.queryable === false;
const final = ({ provider }: KnownFacts): boolean => provider !== undefined && onlyAPersonSettles(provider);
const finding = ({ lastFinding = "nothing" }: KnownFacts): string => lastFinding;
/** A person's decision to wait stands in the place of what a look-up found. */
const kept = ({ lastFinding }: KnownFacts): boolean => lastFinding === KEPT_WAITING;
const asking = (it: KnownFacts): boolean => it.sent && !final(it);

/** What is known of an outcome in doubt, in this order. */
export const KNOWN_CLAIMS: readonly PageClaim<KnownFacts>[] = [
  {
    name: "unsent",
    holds: ({ sent, elsewhere }) => !sent && elsewhere !== true,
    words: () => "Nothing was sent. Recovery ends it without effect.",
  },
  {
    name: "unsent_elsewhere",
    holds: ({ sent, elsewhere }) => !sent && elsewhere === true,
    words: () => "Nothing was sent. Its own service settles it.",
  },
  {
    name: "only_a_person",
    holds: (it) => it.sent && final(it),
    words: () =>
      "The provider can neither be asked nor sent the same key again: only a person with evidence settles it.",
  },
  {
    name: "not_sent_again",
    holds: (it) => asking(it) && deaf(it) && it.checks === 0,
    words: () => "It cannot be asked, and was not sent again yet.",
  },
  {
    name: "sent_again",
    holds: (it) => asking(it) && deaf(it) && it.checks > 0 && !kept(it),
    words: (it) => `It cannot be asked. Tried again under its key ${times(it.checks)}: ${finding(it)}.`,
  },
  { name: "not_asked", holds: (it) => asking(it) && !deaf(it) && it.checks === 0, words: () => "Not asked yet." },
  {
    name: "asked",
    holds: (it) => asking(it) && !deaf(it) && it.checks > 0 && !kept(it),
    words: (it) => `Look-up says ${finding(it)}, asked ${times(it.checks)}.`,
  },
  {
    name: "kept_waiting",
    holds: (it) => asking(it) && it.checks > 0 && kept(it),
    words: (it) => `Kept waiting by a person, ${deaf(it) ? "tried again" : "asked"} ${times(it.checks)} before.`,
  },
  { name: "no_webhook", holds: (it) => it.sent && it.webhook === undefined, words: () => "No webhook." },
  {
    name: "webhook",
    holds: (it) => it.sent && it.webhook !== undefined,
    words: ({ webhook }) => `A signed webhook says ${webhook ?? "nothing"}.`,
  },
];

/** "Look-up says processing, asked 9 times. A signed webhook says succeeded." One line of the attention queue. */
export function whatIsKnown(facts: KnownFacts): string {
  return holding(KNOWN_CLAIMS, facts)
    .map(({ words }) => words(facts))
    .join(" ");
}
