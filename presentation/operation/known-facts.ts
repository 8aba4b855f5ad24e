import { onlyAPersonSettles, type ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import { times } from "../format/words";

export interface KnownFacts {
  readonly sent: boolean;
  readonly checks: number;
  readonly provider?: ProviderFacts | undefined;
  /** Words of the last look-up: "processing", "never received" … */
  readonly lastFinding?: string | undefined;
  readonly webhook?: "succeeded" | "failed" | "processing" | undefined;
}

/** "Look-up says processing, asked 9 times. A signed webhook says succeeded." One line of the attention queue. */
export function whatIsKnown(facts: KnownFacts): string {
  if (!facts.sent) return "Nothing was sent. Recovery will free the key.";
  return `${asked(facts)} ${facts.webhook === undefined ? "No webhook." : `A signed webhook says ${facts.webhook}.`}`;
}

function asked({ provider, checks, lastFinding = "nothing" }: KnownFacts): string {
  if (provider !== undefined && onlyAPersonSettles(provider))
    return "The provider can neither be asked nor sent the same key again: only a person with evidence settles it.";
  const repeated = provider?.queryable === false;
  if (checks === 0) return repeated ? "It cannot be asked, and was not sent again yet." : "Not asked yet.";
  return repeated
    ? `It cannot be asked. Tried again under its key ${times(checks)}: ${lastFinding}.`
    : `Look-up says ${lastFinding}, asked ${times(checks)}.`;
}
