import { firstWords, type PageClaim } from "@/domain/page-claim";
import type { HandSettlement } from "../views/operations";

/** What the provider said of the operation, in answers, look-ups and signed events. */
export interface ProviderWords {
  /** In the order in which they were prepared. */
  readonly calls: readonly {
    readonly kind: string;
    readonly providerKey: string;
    readonly outcome?: string | undefined;
  }[];
  readonly webhooks: readonly { readonly providerKey?: string | undefined; readonly says?: string | undefined }[];
}

/** Where the provider's final word stands. */
export type WordSource = "answer" | "look-up" | "signed webhook";

/** How the provider stands to what became of an operation. */
export interface ProviderStand {
  readonly stand: "confirmed" | "contradicts it" | "not confirmed";
  readonly source?: WordSource | undefined;
}

/** Where the provider says that it acted, under whatever key. */
export function succeededBy({ calls, webhooks }: ProviderWords): WordSource | undefined {
  return sourceOf(
    calls.filter(({ outcome }) => outcome === "succeeded"),
    webhooks.some(({ says }) => says === "succeeded"),
  );
}

/** Where the provider says that it declined for good: of the last attempt, as an earlier one had a key of its own. */
export function declinedBy({ calls, webhooks }: ProviderWords): WordSource | undefined {
  const last = calls.findLast(({ kind }) => kind !== "lookup")?.providerKey;
  return sourceOf(
    calls.filter(({ outcome, providerKey }) => outcome === "declined" && providerKey === last),
    webhooks.some(
      ({ says, providerKey }) => says === "failed" && (last === undefined || (providerKey ?? last) === last),
    ),
  );
}

function sourceOf(final: ProviderWords["calls"], signed: boolean): WordSource | undefined {
  if (final.length > 0) return final.some(({ kind }) => kind !== "lookup") ? "answer" : "look-up";
  return signed ? "signed webhook" : undefined;
}

/** A contradiction outweighs a confirmation: somebody has to look. */
export function providerStand(decision: "succeeded" | "failed", words: ProviderWords): ProviderStand {
  const [yes, no] = [succeededBy(words), declinedBy(words)];
  const [with_, against] = decision === "succeeded" ? [yes, no] : [no, yes];
  if (against !== undefined) return { stand: "contradicts it", source: against };
  return with_ === undefined ? { stand: "not confirmed" } : { stand: "confirmed", source: with_ };
}

const EVIDENCE_NAMED = 3;
const EVIDENCE_LENGTH = 60;
const SOURCES: readonly (readonly [prefix: string, words: string])[] = [
  ["webhook:", "signed webhook"],
  ["answer:", "provider's answer"],
  ["lookup:", "provider look-up"],
];

/** "bank statement, signed webhook and 2 more". */
function evidenceText(evidence: readonly string[]): string {
  const named = evidence.slice(0, EVIDENCE_NAMED).map((ref) => {
    const source = SOURCES.find(([prefix]) => ref.startsWith(prefix))?.[1] ?? ref;
    return source.length > EVIDENCE_LENGTH ? `${source.slice(0, EVIDENCE_LENGTH)}…` : source;
  });
  const rest = evidence.length - named.length;
  return named.join(", ") + (rest > 0 ? ` and ${String(rest)} more` : "");
}

const SAYS = { succeeded: "it failed", failed: "it succeeded" } as const;

interface DecisionFacts {
  readonly hand: Pick<HandSettlement, "decision" | "evidence">;
  readonly stand: ProviderStand["stand"];
}

const decided = ({ hand: { decision, evidence } }: DecisionFacts): string =>
  `Settled by hand as ${decision}${evidence.length === 0 ? "" : ` on this evidence: ${evidenceText(evidence)}`}`;

const DECISION_CLAIMS: readonly PageClaim<DecisionFacts>[] = [
  {
    name: "contradicted",
    holds: ({ stand }) => stand === "contradicts it",
    words: (facts) => `${decided(facts)}; the provider says ${SAYS[facts.hand.decision]}.`,
  },
  {
    name: "not confirmed",
    holds: ({ stand }) => stand !== "contradicts it",
    words: (facts) => `${decided(facts)}; the provider has not confirmed it.`,
  },
];

/** Of a decision that the provider has not confirmed, or contradicts. */
export function unconfirmedText(hand: HandSettlement, stand: ProviderStand["stand"]): string {
  return firstWords(DECISION_CLAIMS, { hand, stand });
}

const BY: Readonly<Record<WordSource, string>> = {
  answer: "in its answer",
  "look-up": "by a look-up",
  "signed webhook": "by a signed webhook",
};

/** By the source, which stands where it confirms. */
const CONFIRMED_CLAIMS: readonly PageClaim<{ readonly source: WordSource }>[] = [
  {
    name: "confirmed",
    holds: ({ source }) => source in BY,
    words: ({ source }) => `Settled by hand; the provider confirmed it ${BY[source]}.`,
  },
];

export function confirmedText(source: WordSource): string {
  return firstWords(CONFIRMED_CLAIMS, { source });
}

/** What a person's decision event names: a decision that settled the operation under its present fence, else undefined. */
export function handSettlementOf(
  events: readonly {
    readonly type: string;
    readonly at: string;
    readonly fence?: number | undefined;
    readonly actor?: string | undefined;
    readonly to?: string | undefined;
    readonly evidence?: readonly string[] | undefined;
  }[],
  fence: number,
): HandSettlement | undefined {
  const event = events.findLast(
    ({ type, to, fence: under }) => type === "resolved" && under === fence && DECISIONS.has(to ?? ""),
  );
  const decision = DECISIONS.get(event?.to ?? "");
  if (event === undefined || decision === undefined) return undefined;
  return { by: event.actor ?? "a person", at: event.at, decision, evidence: event.evidence ?? [] };
}

/** By the state that it led to. */
const DECISIONS: ReadonlyMap<string, HandSettlement["decision"]> = new Map([
  ["COMPLETED", "succeeded"],
  ["FAILED_REPLAYABLE", "failed"],
  ["FAILED_RETRYABLE", "failed"],
]);
