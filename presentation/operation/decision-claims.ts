import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { formatAge, formatDuration } from "../format/display-time";
import type { AttentionView, OperationDetail } from "../views/operations";

/** When the worker asks the provider next; none: it is not planned. */
interface CheckFacts {
  readonly at: string;
  readonly nextCheckAt?: string | undefined;
}
const untilCheck = ({ at, nextCheckAt = at }: CheckFacts): number => Date.parse(nextCheckAt) - Date.parse(at);
const isPlanned = ({ nextCheckAt }: CheckFacts): boolean => nextCheckAt !== undefined;

/** What a row of the queue says of it. */
const NEXT_CHECK: readonly PageClaim<CheckFacts>[] = [
  { name: "not planned", holds: (facts) => !isPlanned(facts), words: () => "No next check is planned." },
  {
    name: "later",
    holds: (facts) => untilCheck(facts) > 0,
    words: (facts) => `Asked again in ${formatAge(untilCheck(facts))}.`,
  },
  { name: "due", holds: isPlanned, words: () => "The next look-up is due." },
];

export function nextCheckWords(facts: CheckFacts): string {
  return firstWords(NEXT_CHECK, facts);
}

/** What stands beside the button that asks now. */
const ASK_CLAIMS: readonly PageClaim<CheckFacts>[] = [
  { name: "sends nothing", holds: () => true, words: () => "No money is sent." },
  {
    name: "due",
    holds: (facts) => isPlanned(facts) && untilCheck(facts) <= 0,
    words: () => "The next automatic look-up is due now.",
  },
  {
    name: "later",
    holds: (facts) => untilCheck(facts) > 0,
    words: (facts) => `Next automatic look-up in ${formatDuration(untilCheck(facts))}.`,
  },
];

export function askWords(facts: CheckFacts): string {
  return claimWords(ASK_CLAIMS, facts).join(" ");
}

/** Whose an operation is. */
interface AssignFacts {
  readonly assignedTo?: string | undefined;
}
const ASSIGNED: readonly PageClaim<AssignFacts>[] = [
  {
    name: "assigned",
    holds: ({ assignedTo }) => assignedTo !== undefined,
    words: ({ assignedTo = "" }) => `Assigned to ${assignedTo}.`,
  },
];

/** @returns empty where it is nobody's */
export function assignedWords(facts: AssignFacts): string {
  return claimWords(ASSIGNED, facts).join(" ");
}

/** What the queue says under its verdict: how the money of several currencies is shared. */
const QUEUE_CLAIMS: readonly PageClaim<Pick<AttentionView, "totals">>[] = [
  {
    name: "by currency",
    holds: ({ totals }) => totals.length > 1,
    words: ({ totals }) => `${totals.map(({ money, count }) => `${money.display} in ${String(count)}`).join(", ")}.`,
  },
  {
    name: "who settles",
    holds: () => true,
    words: () =>
      "The worker asks the provider automatically, less and less often. A person decides what it cannot settle, with evidence and a reason.",
  },
];

export function queueLede(view: Pick<AttentionView, "totals">): string {
  return claimWords(QUEUE_CLAIMS, view).join(" ");
}

/** A page of the queue without a row. */
const EMPTY_QUEUE: readonly PageClaim<Pick<AttentionView, "unknown" | "stale">>[] = [
  { name: "empty", holds: ({ unknown, stale }) => unknown + stale === 0, words: () => "The queue is empty." },
  { name: "a page behind its end", holds: () => true, words: () => "No operation is on this page of the queue." },
];

export function emptyQueueWords(view: Pick<AttentionView, "unknown" | "stale">): string {
  return firstWords(EMPTY_QUEUE, view);
}

/** What the dialog that asks the provider knows. @param calls in the journal */
const CALLS_CLAIMS: readonly PageClaim<number>[] = [
  { name: "nothing sent", holds: (calls) => calls === 0, words: () => "Nothing was sent so far." },
  {
    name: "calls",
    holds: () => true,
    words: (calls) => `${String(calls)} provider ${calls === 1 ? "call is" : "calls are"} in the journal.`,
  },
];

export function callsWords(calls: number): string {
  return firstWords(CALLS_CLAIMS, calls);
}

/** Whether anything was sent before the provider is asked. */
interface SentFacts {
  readonly sent: boolean;
}
const ASK_EFFECT: readonly PageClaim<SentFacts>[] = [
  {
    name: "asked",
    holds: ({ sent }) => sent,
    words: () =>
      "A final answer settles it. Within its window a retry then gets the outcome, or runs again as its policy lets it, where nothing of it arrived and nothing can any more, or where a refusal does not bind.",
  },
  {
    name: "nothing sent",
    holds: ({ sent }) => !sent,
    words: () =>
      "Nothing was sent, so nobody is asked: it ends without effect. Within its window a retry runs again, as often as its policy lets it.",
  },
];

/** What asking the provider now leads to. */
export function askEffect(facts: SentFacts): string {
  return firstWords(ASK_EFFECT, facts);
}

type SettleFacts = Pick<OperationDetail, "leaves" | "nextCheckAt">;
const SUCCEEDED: readonly PageClaim<SettleFacts>[] = [
  {
    name: "stores, publishes and posts",
    holds: ({ leaves }) => leaves.entry && leaves.event,
    words: () =>
      "Stores the success as the answer, publishes its event and posts it to the ledger. Within its window every retry gets this outcome.",
  },
  {
    name: "stores and publishes",
    holds: ({ leaves }) => leaves.event,
    words: () =>
      "Stores the success as the answer and publishes its event. Within its window every retry gets this outcome.",
  },
  {
    name: "stores",
    holds: () => true,
    words: () => "Stores the success as the answer. Within its window every retry gets this outcome.",
  },
];
const KEEP_WAITING: readonly PageClaim<SettleFacts>[] = [
  {
    name: "no look-up",
    holds: ({ nextCheckAt }) => nextCheckAt === undefined,
    words: () => "Callers keep getting 409 with Retry-After. Nothing is sent; no look-up is planned.",
  },
  {
    name: "look-up stays due",
    holds: () => true,
    words: () => "Callers keep getting 409 with Retry-After. Nothing is sent; the next look-up stays due.",
  },
];

const STORES_FAILURE =
  "Stores the failure as the answer, or none where refusals do not bind. No ledger entry, no message.";
const FAILED: readonly PageClaim<SettleFacts>[] = [
  {
    name: "takes money",
    holds: ({ leaves }) => leaves.money === "takes",
    words: () => `${STORES_FAILURE} A customer who pays again is charged anew.`,
  },
  {
    name: "other",
    holds: () => true,
    words: () => `${STORES_FAILURE} If it is asked for again under another key, it is sent anew.`,
  },
];

/** What the ways to settle do. */
export function settleWords(facts: SettleFacts) {
  return {
    succeeded: firstWords(SUCCEEDED, facts),
    failed: firstWords(FAILED, facts),
    keepWaiting: firstWords(KEEP_WAITING, facts),
  };
}

/** Whether a decision may need a second person. */
interface ApprovalFacts {
  /** "€10,000.00"; absent where the operation has no amount. */
  readonly secondPersonFrom?: string | undefined;
}
const FOOT_CLAIMS: readonly PageClaim<ApprovalFacts>[] = [
  {
    name: "one person",
    holds: ({ secondPersonFrom }) => secondPersonFrom === undefined,
    words: () => "Nothing is sent to the provider. A second click changes nothing.",
  },
  {
    name: "second person",
    holds: () => true,
    words: ({ secondPersonFrom = "" }) => `From ${secondPersonFrom} a second person approves.`,
  },
];

export function settleFoot(facts: ApprovalFacts): string {
  return firstWords(FOOT_CLAIMS, facts);
}
