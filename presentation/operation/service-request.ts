import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import type { OperatorAction } from "@/domain/operation-kind";
import type { ServiceRequestRow } from "../views/service-requests";

type Facts = Pick<
  ServiceRequestRow,
  "service" | "takenBy" | "inHand" | "ended" | "result" | "finding" | "withdrawnBy" | "action"
>;

/** What became of what a service was asked. */
const REQUEST_CLAIMS: readonly PageClaim<Facts>[] = [
  {
    name: "withdrawn",
    holds: ({ ended }) => ended === "withdrawn",
    words: ({ withdrawnBy = "somebody" }) => `Withdrawn by ${withdrawnBy}.`,
  },
  {
    name: "overtaken",
    holds: ({ ended }) => ended === "overtaken",
    words: () => "The operation was settled without it.",
  },
  {
    name: "left unknown",
    holds: ({ ended, result }) => ended === "settled" && result === "UNKNOWN_REQUIRES_RECOVERY",
    words: ({ takenBy = "", finding }) =>
      finding === undefined
        ? `${takenBy} left the outcome unknown.`
        : `${takenBy} left the outcome unknown: ${finding}.`,
  },
  {
    name: "freed",
    holds: ({ ended, result }) => ended === "settled" && result === "FAILED_RETRYABLE",
    words: ({ takenBy = "" }) => `${takenBy} ended it without effect.`,
  },
  {
    name: "refused",
    holds: ({ ended, result }) => ended === "settled" && result === "FAILED_REPLAYABLE",
    words: ({ takenBy = "" }) => `${takenBy} settled it as refused for good.`,
  },
  {
    name: "completed",
    holds: ({ ended }) => ended === "settled",
    words: ({ takenBy = "" }) => `${takenBy} completed it.`,
  },
  { name: "in hand", holds: ({ inHand }) => inHand, words: ({ takenBy = "" }) => `${takenBy} has it in hand.` },
  {
    name: "lease over",
    holds: ({ takenBy }) => takenBy !== undefined,
    words: ({ takenBy = "", service }) => `${takenBy} took it and its lease is over: it waits for ${service}.`,
  },
  { name: "waits", holds: () => true, words: ({ service }) => `It waits for ${service}.` },
];

export function requestWords(facts: Facts): string {
  return firstWords(REQUEST_CLAIMS, facts);
}

interface AskFacts {
  readonly service: string;
  readonly action: OperatorAction;
  readonly outcome?: "succeeded" | "failed" | undefined;
}
/** What pressing the button of a service's operation leads to. */
const ASK_SERVICE: readonly PageClaim<AskFacts>[] = [
  {
    name: "reconcile",
    holds: ({ action }) => action === "reconcile",
    words: ({ service }) => `Onceboard asks ${service} to ask the provider and to settle by its answer.`,
  },
  {
    name: "release",
    holds: ({ action }) => action === "release",
    words: ({ service }) => `Onceboard asks ${service} to end it without effect, so that its key is free again.`,
  },
  {
    name: "succeeded",
    holds: ({ outcome }) => outcome === "succeeded",
    words: ({ service }) => `Onceboard asks ${service} to keep the success as the answer.`,
  },
  {
    name: "failed",
    holds: () => true,
    words: ({ service }) => `Onceboard asks ${service} to keep the failure as the answer.`,
  },
];

export function askServiceWords(facts: AskFacts): string {
  return firstWords(ASK_SERVICE, facts);
}

/** Of the dialogs and the form: who acts, and until when it can be taken back. */
interface FootFacts {
  readonly service: string;
  /** "€10,000.00": the amount from which two people decide; absent where it has less or none. */
  readonly secondPersonFrom?: string | undefined;
}
const SERVICE_FOOT: readonly PageClaim<FootFacts>[] = [
  {
    name: "second person",
    holds: ({ secondPersonFrom }) => secondPersonFrom !== undefined,
    words: ({ service, secondPersonFrom = "" }) =>
      `From ${secondPersonFrom} a second person approves; then ${service} is asked.`,
  },
  {
    name: "recorded",
    holds: () => true,
    words: ({ service }) => `Only the request is recorded. It can be withdrawn until ${service} has settled it.`,
  },
];

export function serviceFoot(facts: FootFacts): string {
  return firstWords(SERVICE_FOOT, facts);
}

interface RefusalFacts {
  readonly service: string;
  /** The service registered that it does this. */
  readonly offered: boolean;
  /** A request is open. */
  readonly asked: boolean;
}
const SERVICE_REFUSALS: readonly PageClaim<RefusalFacts>[] = [
  {
    name: "not offered",
    holds: ({ offered }) => !offered,
    words: ({ service }) => `${service} owns this kind of operation and does not offer this.`,
  },
  { name: "asked", holds: ({ asked }) => asked, words: ({ service }) => `${service} is asked already.` },
];

/** @returns why a service is not asked to do something; undefined where it is */
export function serviceRefusal(facts: RefusalFacts): string | undefined {
  return claimWords(SERVICE_REFUSALS, facts)[0];
}

/** In the queue: who asks the service now. */
const ASKED_NOW: readonly PageClaim<{
  readonly askedBy?: string | undefined;
  readonly service?: string | undefined;
}>[] = [
  {
    name: "asked",
    holds: ({ askedBy, service }) => askedBy !== undefined && service !== undefined,
    words: ({ askedBy = "", service = "" }) => `${askedBy} asks ${service} to settle it.`,
  },
];

/** @returns empty where nobody asks */
export function askedNowWords(row: {
  readonly askedBy?: string | undefined;
  readonly service?: string | undefined;
}): string {
  return claimWords(ASKED_NOW, row).join(" ");
}

/** @returns the request that is open, if there is one */
export function openRequest<Row extends Pick<ServiceRequestRow, "endedAt">>(
  requests: readonly Row[] | undefined,
): Row | undefined {
  return requests?.find(({ endedAt }) => endedAt === undefined);
}
