import { firstWords, type PageClaim } from "../page-claim";
import { CORRECTION_MAX_BYTES } from "./correction";
import { judgeAlive } from "./judge-message";
import type { HeldBy, OutboxFacts } from "./requeue-verdict";

/**
 * Whether a dead message may be corrected and sent as a new one. A requeue keeps the id, so a receiver that has the message already
 * takes it for a duplicate; a corrected message has a new id and is a new message to its receiver. So it is offered only where every
 * attempt was refused or never left: what may have been accepted could take effect twice. Pure, from facts that rows hold.
 */
export interface CorrectionFacts extends OutboxFacts {
  /** All that were made, as its dead letters count them. */
  readonly attemptsMade: number;
  /** Those that are kept and that the receiver refused, or that never left. */
  readonly attemptsRefused: number;
  /** Of those: the ones that never left. */
  readonly attemptsUnsent: number;
  /** Those that are kept. */
  readonly attemptsKept: number;
  /** The error of one whose end says nothing about its effect. */
  readonly openError?: string | undefined;
  /** The error of the last one. */
  readonly lastError?: string | undefined;
  /** It was written so long ago that records of its attempts may be gone. */
  readonly old: boolean;
  /** Bytes of its body as JSON. */
  readonly bytes: number;
  /** A plan that would correct it waits for a second person. */
  readonly waiting?: string | undefined;
}

export interface JudgedCorrection {
  readonly offered: boolean;
  /** Why it is not offered, or what is known of the receiver. One or two sentences. */
  readonly why: string;
}

/**
 * Answers by which a receiver, or the broker before it, says that it did not take a message. A timeout, a lost connection and a 5xx
 * leave it open; a 408 and a 409 may come from a receiver that has the message.
 */
const REFUSED = /\.http_4(?!08|09)\d\d$|^delivery\.(?:too_large|forbidden|unroutable)$/;
/** Failures before anything left. */
const UNSENT = /^delivery\.bad_destination$|^webhook\.(?:unsafe_destination|endpoint_disabled)$/;

/** @returns whether an attempt that ended so had no effect at its receiver */
export function refusedBy(code: string | undefined): boolean {
  return code !== undefined && (REFUSED.test(code) || UNSENT.test(code));
}

/** @returns whether nothing left in an attempt that ended so */
export function neverLeft(code: string | undefined): boolean {
  return code !== undefined && UNSENT.test(code);
}

const MAIL = "mail";
const firstHeld = ({ held, foreign }: CorrectionFacts): HeldBy | undefined => (foreign ? undefined : held[0]);
const unknownAttempts = ({ attemptsKept, attemptsRefused }: CorrectionFacts): number => attemptsKept - attemptsRefused;
const times = (count: number): string => (count === 1 ? "1 attempt" : `${String(count)} attempts`);

/** Why it is not offered: the first that holds. */
export const CORRECTION_REFUSALS: readonly PageClaim<CorrectionFacts>[] = [
  {
    name: "not dead",
    holds: (facts) => judgeAlive(facts) !== undefined,
    words: (facts) => judgeAlive(facts)?.why ?? "",
  },
  {
    name: "waits for approval",
    holds: ({ waiting }) => waiting !== undefined,
    words: () => "A correction of it waits for approval.",
  },
  {
    name: "mail",
    holds: ({ place }) => place === MAIL,
    words: () => "A mail is written when it is sent; this message only names it. Correct the account, then requeue.",
  },
  {
    name: "endpoint deleted",
    holds: ({ endpoint }) => endpoint === "deleted",
    words: () => "Its endpoint was deleted: there is nowhere to send it.",
  },
  {
    name: "operation unknown",
    holds: ({ operationUnknown }) => operationUnknown,
    words: () => "The outcome of its operation is unknown: settle that first.",
  },
  {
    name: "held",
    holds: (facts) => firstHeld(facts) !== undefined,
    words: (facts) =>
      `${firstHeld(facts)?.consumer ?? "A consumer"} has a message of this id: a new id could take effect a second time.`,
  },
  {
    name: "effect unknown",
    holds: (facts) => unknownAttempts(facts) > 0,
    words: (facts) =>
      `The receiver may have acted on it: ${times(unknownAttempts(facts))} ended without a clear refusal (${facts.openError ?? "lost"}), and a new id could take effect a second time.`,
  },
  {
    name: "attempts purged",
    holds: ({ attemptsKept, attemptsMade }) => attemptsKept < attemptsMade,
    words: () => "The receiver may have acted on it: not all of its attempts are on record any more.",
  },
  {
    name: "too old",
    holds: ({ attemptsMade, old }) => old || attemptsMade === 0,
    words: () => "The receiver may have acted on it: it is so old that attempts may be missing from its record.",
  },
  {
    name: "too large",
    holds: ({ bytes }) => bytes > CORRECTION_MAX_BYTES,
    words: () =>
      `Its body is larger than ${String(CORRECTION_MAX_BYTES / 1_024)} KiB, the most that can be edited here.`,
  },
];

function refusalOf(facts: CorrectionFacts): PageClaim<CorrectionFacts> | undefined {
  return CORRECTION_REFUSALS.find((claim) => claim.holds(facts));
}

const isOffered = (facts: CorrectionFacts): boolean =>
  refusalOf(facts) === undefined && facts.attemptsMade > 0 && facts.attemptsRefused >= facts.attemptsMade;
const NEW_ID = "The corrected message has a new id: to the receiver it is a new message.";
const lastly = ({ lastError }: CorrectionFacts): string => (lastError === undefined ? "" : ` (${lastError})`);
const all = ({ attemptsMade }: CorrectionFacts, verb: readonly [one: string, many: string]): string =>
  attemptsMade === 1 ? `The only attempt ${verb[0]}` : `All ${String(attemptsMade)} attempts ${verb[1]}`;

/** What is known of its attempts where it is offered: the first that holds. */
export const CORRECTION_OFFERED: readonly PageClaim<CorrectionFacts>[] = [
  {
    name: "refused every time",
    holds: (facts) => isOffered(facts) && facts.attemptsUnsent === 0,
    words: (facts) => `${all(facts, ["was refused", "were refused"])}${lastly(facts)}. ${NEW_ID}`,
  },
  {
    name: "never left",
    holds: (facts) => isOffered(facts) && facts.attemptsUnsent >= facts.attemptsMade,
    words: (facts) => `${all(facts, ["never left", "never left"])}${lastly(facts)}. ${NEW_ID}`,
  },
  {
    name: "refused or never left",
    holds: isOffered,
    words: (facts) => `${all(facts, ["was", "were"])} refused or never left${lastly(facts)}. ${NEW_ID}`,
  },
];

/** @param facts undefined: there is no such message */
export function judgeCorrection(facts: CorrectionFacts | undefined): JudgedCorrection {
  if (facts === undefined) return { offered: false, why: "There is no such message any more." };
  const refusal = refusalOf(facts);
  return refusal === undefined
    ? { offered: true, why: firstWords(CORRECTION_OFFERED, facts) }
    : { offered: false, why: refusal.words(facts) };
}
