import { firstClaim, type PageClaim } from "@/domain/page-claim";
import { writtenClock } from "@/domain/written-time";
import { providerOfKind, type OperationKind } from "@/domain/operation-kind";
import type { OperationState, Stage } from "@/domain/idempotency/states";
import type { OperationVerdict } from "@/domain/plans/item-verdicts";

export interface PlanOperationFacts {
  readonly about: Pick<OperationKind, "runsIn" | "provider" | "owner" | "actions">;
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

/** The verdict of a plan on one operation; `acts`: it would do something. */
interface OperationClaim extends PageClaim<PlanOperationFacts> {
  readonly verdict: OperationVerdict;
  readonly acts?: true;
}

const GONE: OperationJudged = { verdict: "moved", acts: false, why: "There is no such operation any more." };

/** Whether nothing can have left for a provider: the send is committed as a stage before it happens. */
export function nothingSent(facts: Pick<PlanOperationFacts, "stage" | "providerKey">): boolean {
  return facts.stage === "RECEIVED" || facts.stage === "LOCAL_PAYMENT_CREATED" || !facts.providerKey;
}

const isOpen = ({ state }: PlanOperationFacts): boolean =>
  state === "IN_PROGRESS" || state === "UNKNOWN_REQUIRES_RECOVERY";
const bodyGone = ({ bodyPurged, bodyAgeHours }: PlanOperationFacts): boolean =>
  bodyPurged || bodyAgeHours === undefined;
/** Hours for which its policy still keeps its body. */
const hoursLeft = ({ bodyTtlHours, bodyAgeHours = 0 }: PlanOperationFacts): number => bodyTtlHours - bodyAgeHours;

/** Whether a service settles it, and registered that it does so by a person's decision. */
const takesDecisions = ({ about: { runsIn, owner, actions } }: PlanOperationFacts): boolean =>
  runsIn === "service" && owner !== "" && actions.includes("resolve");

/** Why nobody may settle an operation now: the first that holds. */
export const NOT_FREE_CLAIMS: readonly OperationClaim[] = [
  { name: "settled", verdict: "settled", holds: (facts) => !isOpen(facts), words: () => "Its outcome is known." },
  {
    name: "foreign",
    verdict: "foreign",
    holds: ({ about }) => about.runsIn !== "module",
    words: () => "Another service owns this kind of operation and settles it by itself.",
  },
  {
    name: "leased",
    verdict: "leased",
    holds: ({ leased }) => leased,
    words: ({ owner, lockedUntil }) =>
      `${owner ?? "An owner"} holds the lease${lockedUntil === undefined ? "" : ` until ${writtenClock(lockedUntil)}`}.`,
  },
];

/** Of an operation that a plan would reconcile: the first that holds. */
export const RECONCILE_CLAIMS: readonly OperationClaim[] = [
  ...NOT_FREE_CLAIMS,
  {
    name: "not sent",
    verdict: "not_sent",
    holds: nothingSent,
    words: () => "Nothing was sent: there is nothing to ask. Release it instead.",
  },
  {
    name: "cannot be asked",
    verdict: "cannot_ask",
    holds: ({ about, provider }) => providerOfKind(about, provider)?.queryable === false,
    words: () => "This provider cannot be asked: a person decides.",
  },
  {
    name: "ask",
    verdict: "ask",
    acts: true,
    holds: () => true,
    words: () => "Sent, outcome unknown, and nobody holds its lease.",
  },
];

/** Of an operation that a plan would settle by a person's decision: the first that holds. */
export const RESOLVE_CLAIMS: readonly OperationClaim[] = [
  ...NOT_FREE_CLAIMS.map(({ holds, ...claim }) => ({
    ...claim,
    holds: (facts: PlanOperationFacts) => holds(facts) && !(claim.name === "foreign" && takesDecisions(facts)),
  })),
  {
    name: "not sent",
    verdict: "not_sent",
    holds: nothingSent,
    words: () => "Nothing was sent: there is nothing to decide. Release it instead.",
  },
  {
    name: "ask its service",
    verdict: "ask_service",
    acts: true,
    holds: takesDecisions,
    words: ({ about }) =>
      `Sent, outcome unknown, and nobody holds its lease: ${about.owner} is asked to settle it as was decided.`,
  },
  {
    name: "by hand",
    verdict: "by_hand",
    acts: true,
    holds: () => true,
    words: () => "Sent, outcome unknown, and nobody holds its lease: it is settled as was decided.",
  },
];

/** Of an operation that a plan would release: the first that holds. */
export const RELEASE_CLAIMS: readonly OperationClaim[] = [
  ...NOT_FREE_CLAIMS,
  {
    name: "sent",
    verdict: "sent",
    holds: (facts) => !nothingSent(facts),
    words: () => "It was sent: its key stays until the outcome is known.",
  },
  {
    name: "free",
    verdict: "free",
    acts: true,
    holds: ({ keyLive }) => keyLive,
    words: () =>
      "Nobody holds its lease and nothing was sent: the same key may run again, as often as its policy lets it.",
  },
  {
    name: "free, key expired",
    verdict: "free",
    acts: true,
    holds: () => true,
    words: () => "Nobody holds its lease and nothing was sent. Its key has expired meanwhile.",
  },
];

/** Whether command and answer are deleted: settled, and older than its policy keeps them. The first that holds. */
export const PURGE_CLAIMS: readonly OperationClaim[] = [
  { name: "open", verdict: "open", holds: isOpen, words: () => "It is still open: the body is evidence." },
  { name: "purged", verdict: "purged", holds: bodyGone, words: () => "No body of it is stored any more." },
  {
    name: "not final",
    verdict: "open",
    holds: ({ state, keyLive }) => state === "FAILED_RETRYABLE" && keyLive,
    words: () => "Its failure is not final while its window is open: the body stays.",
  },
  {
    name: "kept",
    verdict: "kept",
    holds: (facts) => hoursLeft(facts) > 0,
    words: (facts) => `Its policy keeps the body for ${String(Math.ceil(hoursLeft(facts)))} h more.`,
  },
  {
    name: "expired, key live",
    verdict: "expired",
    acts: true,
    holds: ({ keyLive }) => keyLive,
    words: () => "Older than its policy keeps it; its key is still live, so a retry gets no stored bytes.",
  },
  {
    name: "expired",
    verdict: "expired",
    acts: true,
    holds: () => true,
    words: () => "Older than its policy keeps it, and its key has expired.",
  },
];

function judgedBy(claims: readonly OperationClaim[], facts: PlanOperationFacts | undefined): OperationJudged {
  if (facts === undefined) return GONE;
  const { verdict, acts = false, words } = firstClaim(claims, facts);
  return { verdict, acts, why: words(facts) };
}

/** @param facts undefined: there is no such operation */
export function judgeReconcile(facts: PlanOperationFacts | undefined): OperationJudged {
  return judgedBy(RECONCILE_CLAIMS, facts);
}

/** @param facts undefined: there is no such operation */
export function judgeResolve(facts: PlanOperationFacts | undefined): OperationJudged {
  return judgedBy(RESOLVE_CLAIMS, facts);
}

/** @param facts undefined: there is no such operation */
export function judgeRelease(facts: PlanOperationFacts | undefined): OperationJudged {
  return judgedBy(RELEASE_CLAIMS, facts);
}

/** @param facts undefined: there is no such operation */
export function judgePurge(facts: PlanOperationFacts | undefined): OperationJudged {
  return judgedBy(PURGE_CLAIMS, facts);
}

export const OPERATION_VERDICT_WORDS: Readonly<Record<OperationVerdict, string>> = {
  ask: "Ask the provider",
  by_hand: "Settle by hand",
  ask_service: "Ask its service",
  free: "Release the key",
  expired: "Purge the body",
  settled: "Outcome known",
  leased: "Lease held",
  not_sent: "Nothing was sent",
  sent: "Was sent",
  cannot_ask: "Cannot be asked",
  foreign: "Not ours",
  open: "Still needed",
  purged: "No body stored",
  kept: "Kept by policy",
  moved: "Gone meanwhile",
};
