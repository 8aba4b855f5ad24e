import { isLeft } from "@/domain/operation-kind";
import { onlyAPersonSettles } from "@/domain/idempotency/provider-capabilities";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { HandSettlement, OperationRecord } from "../views/operations";
import { declinedBy, providerStand, type ProviderStand, succeededBy, type WordSource } from "./hand-settlement";
import { callsProvider, effectCalls, objectsMade, recordProvider } from "./operation-record";

/** What the claims about one operation are judged by, counted once from its record. */
export interface OperationCase {
  readonly record: OperationRecord;
  /** What became of the command: by the state, and of an expired key by its answer. */
  readonly end: "succeeded" | "refused" | "no effect" | "open";
  /** A person's decision that it rests on. */
  readonly hand?: HandSettlement | undefined;
  readonly stand: ProviderStand;
  /** Where the provider says that it acted, or that it declined the last attempt. */
  readonly acted?: WordSource | undefined;
  readonly declined?: WordSource | undefined;
  /** Different objects that the provider says it made for this one key. */
  readonly objects: number;
  /** Effect calls that left. */
  readonly sent: number;
  /** Neither its kind nor its journal knows a provider. */
  readonly local: boolean;
  readonly ours: boolean;
  /** A success of this kind with this answer leaves an event. */
  readonly publishes: boolean;
  /** A success of this kind with this answer leaves a ledger entry. */
  readonly posts: boolean;
  readonly onlyAPerson: boolean;
  /** Requests whose answer was the stored bytes. */
  readonly served: number;
  readonly different: boolean;
  readonly conflicts: number;
  /** Requests that were answered, conflicts aside. */
  readonly answered: number;
  /** Requests that were not served the stored answer, in words with their number; conflicts aside. */
  readonly others: ReadonlyMap<string, number>;
}

const FAILED = 400;

export function operationCase(record: OperationRecord): OperationCase {
  const effects = effectCalls(record);
  const words = { calls: record.provider, webhooks: record.webhooks };
  const served = record.requests.filter((request) => request.byteEqual !== undefined);
  const conflicts = record.requests.filter((request) => request.outcome === "conflict").length;
  const provider = recordProvider(record);
  const { settledByHand: hand } = record;
  const end = endOf(record);
  return {
    record,
    end,
    hand: end === "open" ? undefined : hand,
    stand: hand === undefined ? { stand: "not confirmed" } : providerStand(hand.decision, words),
    acted: succeededBy(words),
    declined: declinedBy(words),
    objects: objectsMade(record.provider),
    sent: effects.filter((call) => call.state !== "prepared").length,
    local: !callsProvider(record),
    ours: record.about.runsIn === "module",
    publishes: isLeft(record.about.expects.event) && (record.responseStatus ?? 0) < FAILED,
    posts: isLeft(record.about.expects.entry) && (record.responseStatus ?? 0) < FAILED,
    onlyAPerson: provider !== undefined && onlyAPersonSettles(provider),
    served: served.length,
    different: served.some((request) => request.byteEqual === false),
    conflicts,
    answered: record.requestsTotal - conflicts,
    others: othersOf(record),
  };
}

function endOf({ state, responseStatus }: OperationRecord): OperationCase["end"] {
  switch (state) {
    case "COMPLETED":
      return "succeeded";
    case "FAILED_REPLAYABLE":
      return "refused";
    case "FAILED_RETRYABLE":
      return "no effect";
    case "EXPIRED":
      return responseStatus === undefined ? "no effect" : responseStatus < FAILED ? "succeeded" : "refused";
    case "IN_PROGRESS":
    case "STALE":
    case "UNKNOWN_REQUIRES_RECOVERY":
      return "open";
  }
}

/** How a request that was not served the stored answer is named; another command has a claim of its own. */
const OTHERS: Readonly<Partial<Record<AnswerOutcome, string>>> = {
  in_progress: "in progress",
  unknown: "outcome unknown",
  failed: "failed",
  expired_retry: "after the key expired",
  executed: "without the stored answer",
  replayed: "without the stored answer",
};

function othersOf({ requests }: OperationRecord): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { outcome, byteEqual } of requests) {
    const word = byteEqual === undefined ? OTHERS[outcome] : undefined;
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
