import { times } from "./words";

export interface KnownFacts {
  /** Sent to the provider at all. */
  readonly sent: boolean;
  readonly checks: number;
  /** Words of the last look-up: "processing", "never received" … */
  readonly lastFinding?: string | undefined;
  /** What a signed webhook in the inbox says. */
  readonly webhook?: "succeeded" | "failed" | "processing" | undefined;
}

/** "Look-up says processing, asked 9 times. A signed webhook says succeeded." One line of the attention queue. */
export function whatIsKnown(facts: KnownFacts): string {
  if (!facts.sent) return "Nothing was sent. Recovery will free the key.";
  const asked =
    facts.checks === 0
      ? "Not asked yet."
      : `Look-up says ${facts.lastFinding ?? "nothing"}, asked ${times(facts.checks)}.`;
  return `${asked} ${facts.webhook === undefined ? "No webhook." : `A signed webhook says ${facts.webhook}.`}`;
}
