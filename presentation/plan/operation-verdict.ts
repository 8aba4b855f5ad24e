import { writtenClock } from "@/domain/written-time";
import { isOurs } from "@/domain/operation-label";
import { knownProvider } from "@/domain/idempotency/provider-capabilities";
import type { OperationState, Stage } from "@/domain/idempotency/states";
import type { OperationVerdict } from "@/domain/plans/item-verdicts";

export interface PlanOperationFacts {
  readonly operation: string;
  readonly state: OperationState;
  /** Of an open one. */
  readonly stage?: Stage | undefined;
  readonly providerKey: boolean;
  readonly leased: boolean;
  readonly owner?: string | undefined;
  /** RFC 3339. */
  readonly lockedUntil?: string | undefined;
  /** Name in the journal of provider calls. */
  readonly provider?: string | undefined;
  readonly bodyPurged: boolean;
  /** Hours since the command was kept; undefined: there is no stored body. */
  readonly bodyAgeHours?: number | undefined;
  /** Hours for which its bodies are kept, by its policy. */
  readonly bodyTtlHours: number;
  readonly keyLive: boolean;
}

export interface OperationJudged {
  readonly verdict: OperationVerdict;
  readonly acts: boolean;
  readonly why: string;
}

const leave = (verdict: OperationVerdict, why: string): OperationJudged => ({ verdict, acts: false, why });
const act = (verdict: OperationVerdict, why: string): OperationJudged => ({ verdict, acts: true, why });
const GONE = leave("moved", "There is no such operation any more.");
const FOREIGN = leave("foreign", "Another service owns this kind of operation and settles it by itself.");

/** Whether nothing can have left for a provider: the send is committed as a stage before it happens. */
export function nothingSent(facts: Pick<PlanOperationFacts, "stage" | "providerKey">): boolean {
  return facts.stage === "RECEIVED" || facts.stage === "LOCAL_PAYMENT_CREATED" || !facts.providerKey;
}

export function judgeReconcile(facts: PlanOperationFacts | undefined): OperationJudged {
  const not = notFree(facts);
  if (facts === undefined || not !== undefined) return not ?? GONE;
  if (nothingSent(facts)) return leave("not_sent", "Nothing was sent: there is nothing to ask. Release it instead.");
  const { provider } = facts;
  if (provider !== undefined && knownProvider(provider)?.queryable === false)
    return leave("cannot_ask", "This provider cannot be asked: a person decides.");
  return act("ask", "Sent, outcome unknown, and nobody is working on it.");
}

export function judgeRelease(facts: PlanOperationFacts | undefined): OperationJudged {
  const not = notFree(facts);
  if (facts === undefined || not !== undefined) return not ?? GONE;
  if (!nothingSent(facts)) return leave("sent", "It was sent: its key stays until the outcome is known.");
  return act("free", "Its owner is gone and nothing was sent: the same key may run again.");
}

/** Whether command and answer are deleted: settled, and older than its policy keeps them. */
export function judgePurge(facts: PlanOperationFacts | undefined): OperationJudged {
  if (facts === undefined) return GONE;
  if (facts.state === "IN_PROGRESS" || facts.state === "UNKNOWN_REQUIRES_RECOVERY")
    return leave("open", "It is still open: the body is evidence.");
  if (facts.bodyPurged || facts.bodyAgeHours === undefined) return leave("purged", "No body of it is stored any more.");
  if (facts.state === "FAILED_RETRYABLE" && facts.keyLive)
    return leave("open", "Its key may still run again, with this command.");
  const left = facts.bodyTtlHours - facts.bodyAgeHours;
  if (left > 0) return leave("kept", `Its policy keeps the body for ${String(Math.ceil(left))} h more.`);
  return facts.keyLive
    ? act("expired", "Older than its policy keeps it; its key is still live, so a retry is answered by reference only.")
    : act("expired", "Older than its policy keeps it, and its key has expired.");
}

function notFree(facts: PlanOperationFacts | undefined): OperationJudged | undefined {
  if (facts === undefined) return GONE;
  if (facts.state !== "IN_PROGRESS" && facts.state !== "UNKNOWN_REQUIRES_RECOVERY")
    return leave("settled", "Its outcome is known.");
  if (!isOurs(facts.operation)) return FOREIGN;
  if (!facts.leased) return undefined;
  const until = facts.lockedUntil === undefined ? "" : ` until ${writtenClock(facts.lockedUntil)}`;
  return leave("leased", `${facts.owner ?? "An owner"} holds the lease${until}.`);
}

export const OPERATION_VERDICT_WORDS: Readonly<Record<OperationVerdict, string>> = {
  ask: "Ask the provider",
  free: "Release the key",
  expired: "Purge the body",
  settled: "Outcome known",
  leased: "Lease held",
  not_sent: "Nothing was sent",
  sent: "Was sent",
  cannot_ask: "Cannot be asked",
  foreign: "Not ours",
  open: "Still open",
  purged: "No body stored",
  kept: "Kept by policy",
  moved: "Gone meanwhile",
};
