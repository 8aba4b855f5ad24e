import { claimWords, firstWords, type PageClaim } from "../page-claim";
import { writtenTime } from "../written-time";
import { outageText } from "./outage";
import type { DeadLetterAct, HeldBy, InboxFacts, OutboxFacts, RequeueVerdict, RowFacts } from "./requeue-verdict";

/** What a verdict on one message says, what it is and what is done about it. Of a list the first that holds is said. */
export interface RequeueClaim<Facts> extends PageClaim<Facts> {
  readonly verdict: RequeueVerdict;
  readonly act: DeadLetterAct;
  /** The same in a word or two, for a row that shows the rest of it. */
  readonly brief?: (facts: Facts) => string;
}

type Of<Side> = Extract<RowFacts, { readonly side: Side }>;

function leaveClaim<Facts>(
  verdict: RequeueVerdict,
  name: string,
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
  brief?: (facts: Facts) => string,
): RequeueClaim<Facts> {
  return { name, verdict, act: "leave", holds, words, ...(brief !== undefined && { brief }) };
}

function movedClaim<Facts>(
  name: string,
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
  brief?: (facts: Facts) => string,
): RequeueClaim<Facts> {
  return leaveClaim("moved", name, holds, words, brief);
}

function actClaim<Facts>(
  act: "requeue" | "discard",
  name: string,
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
): RequeueClaim<Facts> {
  return { name, verdict: "safe", act, holds, words };
}

/** "on 20 Nov 2026, 10:00:00 UTC". @param at RFC 3339 UTC */
export function whenText(at: string | undefined): string {
  return at === undefined ? "at an earlier time" : `on ${writtenTime(at, "second")}`;
}

const always = (): boolean => true;
const isLeased = ({ state, leased }: RowFacts): boolean => (state === "pending" || state === "recorded") && leased;
const untilText = ({ lockedUntil }: Pick<RowFacts, "lockedUntil">): string =>
  lockedUntil === undefined ? "its lease ends" : writtenTime(lockedUntil, "second");
const waits = ({ state }: Of<"outbox">): boolean => state === "pending";
/** What a consumer made of a message, after "handled": `ok` says no more than that. */
export const resultText = ({ result }: { readonly result?: string | undefined }): string =>
  result === undefined || result === "ok" ? "" : `: ${result}`;

/** Of a message of the outbox that is not dead; none of a dead one. */
export const OUTBOX_ALIVE_CLAIMS: readonly RequeueClaim<Of<"outbox">>[] = [
  movedClaim(
    "published",
    ({ state }) => state === "published",
    ({ publishedAt }) => `It was published ${whenText(publishedAt)}.`,
    () => "Published.",
  ),
  movedClaim(
    "corrected",
    ({ state, correctedBy }) => state === "discarded" && correctedBy !== undefined,
    ({ correctedBy = "another message" }) => `It was corrected: ${correctedBy} took its place.`,
    () => "Corrected.",
  ),
  movedClaim(
    "discarded",
    ({ state }) => state === "discarded",
    () => "It was discarded: it is no longer sent.",
  ),
  leaveClaim("leased", "leased", isLeased, (facts) => `A relay holds it until ${untilText(facts)}.`),
  movedClaim(
    "endpoint deleted",
    (facts) => waits(facts) && facts.endpoint === "deleted",
    () => "Its endpoint was deleted: there is nowhere to send it.",
  ),
  movedClaim(
    "behind a dead one",
    (facts) => waits(facts) && facts.behind === "dead",
    () => "Waits behind a dead message, until a person requeues or discards that.",
  ),
  movedClaim(
    "topic paused",
    (facts) => waits(facts) && facts.paused,
    () => "Its topic is paused: it waits until the topic is resumed.",
  ),
  movedClaim(
    "endpoint disabled",
    (facts) => waits(facts) && facts.endpoint === "disabled",
    () => "Its endpoint is disabled: it waits until the endpoint is enabled.",
  ),
  movedClaim(
    "behind an older one",
    (facts) => waits(facts) && facts.behind === "pending",
    () => "Queued behind an older message; will be sent after it.",
  ),
  movedClaim(
    "outage",
    (facts) => waits(facts) && facts.outage !== undefined,
    ({ outage = "" }) => `Waiting: at the last try ${outageText(outage)}. No attempt was counted.`,
  ),
  movedClaim("queued", waits, () => "Queued; will be sent automatically."),
];

/** What else there is to know of a message of the inbox that is to be handled. */
export const INBOX_NOTES: readonly PageClaim<Of<"inbox">>[] = [
  {
    name: "other payload arrived",
    holds: ({ mismatches }) => mismatches > 0,
    words: () => "Its id also came with another payload; only the first is handled.",
  },
  {
    name: "attempts never ended",
    holds: ({ unfinished }) => unfinished > 1,
    words: ({ unfinished }) => `${String(unfinished)} attempts never ended: it is handled alone.`,
  },
];

/** Of a message of the inbox that is not dead; none of a dead one. */
export const INBOX_ALIVE_CLAIMS: readonly RequeueClaim<Of<"inbox">>[] = [
  leaveClaim(
    "processed",
    "processed",
    ({ state }) => state === "processed",
    (facts) =>
      `${facts.place} processed it ${whenText(facts.processedAt)}${resultText(facts)}. It is not handled again.`,
    (facts) => `Handled${resultText(facts)}.`,
  ),
  movedClaim(
    "discarded",
    ({ state }) => state === "discarded",
    () => "It was discarded: it is no longer handled.",
  ),
  leaveClaim("leased", "leased", isLeased, (facts) => `A consumer holds it until ${untilText(facts)}.`),
  movedClaim(
    "queued",
    ({ state }) => state === "recorded",
    (facts) => ["Queued; will be handled automatically.", ...claimWords(INBOX_NOTES, facts)].join(" "),
  ),
];

/** The consumer whose messages are about unknown operations by nature: it is what settles them. */
const SETTLES_OPERATIONS = "provider-webhook";
/** Mail goes to people, who know no message id. */
const MAIL_TOPIC = "mail";

const settleFirst = ({ operationUnknown, place }: OutboxFacts | InboxFacts): boolean =>
  operationUnknown && place !== SETTLES_OPERATIONS;
const settleFirstWords = (): string => "The outcome of its operation is unknown: settle that first.";

/**
 * The row that decides: another payload first, then what was processed, then whatever holds it. None where it leaves for somebody
 * else: that our inbox took it before its topic was sent elsewhere says nothing about them, and closing it would lose it there.
 */
function heldBy({ held, foreign }: OutboxFacts): HeldBy | undefined {
  if (foreign) return undefined;
  return held.find((row) => !row.samePayload) ?? held.find((row) => row.state === "processed") ?? held[0];
}

function tookIt(facts: OutboxFacts): string {
  const { consumer, state, at } = heldBy(facts) ?? { consumer: "A consumer", state: "recorded", at: undefined };
  return `${consumer} ${state === "processed" ? "processed" : "recorded"} it ${whenText(at)}`;
}

const mismatchClaim = leaveClaim<OutboxFacts>(
  "mismatch",
  "other payload held",
  (facts) => heldBy(facts)?.samePayload === false,
  (facts) => `${heldBy(facts)?.consumer ?? "A consumer"} holds another payload under this id.`,
);
const isHeld = (facts: OutboxFacts): boolean => heldBy(facts) !== undefined;

/** Why a dead message of the outbox is safe to send again. */
export const OUTBOX_SAFE_CLAIMS: readonly PageClaim<OutboxFacts>[] = [
  { name: "held by nobody", holds: ({ foreign }) => !foreign, words: () => "Safe. No consumer has this id." },
  {
    // A mail server does not know our ids: what arrived already arrives again.
    name: "mail",
    holds: ({ place }) => place === MAIL_TOPIC,
    words: () => "Safe for money. Delivery unconfirmed; if the mail arrived, it arrives again.",
  },
  {
    name: "receiver elsewhere",
    holds: always,
    words: () => "Safe. Delivery unconfirmed; same id, so the receiver can deduplicate.",
  },
];

/** Of a dead message of the outbox that may be requeued. */
export const OUTBOX_REQUEUE_CLAIMS: readonly RequeueClaim<OutboxFacts>[] = [
  leaveClaim("operation_unknown", "operation unknown", settleFirst, settleFirstWords),
  mismatchClaim,
  {
    name: "held",
    verdict: "processed",
    act: "close",
    holds: isHeld,
    words: (facts) => `${tookIt(facts)} and skips another copy.`,
  },
  actClaim(
    "requeue",
    "safe, topic paused",
    ({ paused }) => paused,
    (facts) =>
      `${firstWords(OUTBOX_SAFE_CLAIMS, facts)} Its topic is paused: it would wait until the topic is resumed.`,
  ),
  actClaim("requeue", "safe", always, (facts) => firstWords(OUTBOX_SAFE_CLAIMS, facts)),
];

/** Of a dead message of the inbox that may be requeued. */
export const INBOX_REQUEUE_CLAIMS: readonly RequeueClaim<InboxFacts>[] = [
  leaveClaim("operation_unknown", "operation unknown", settleFirst, settleFirstWords),
  actClaim("requeue", "safe", always, (facts) =>
    ["Safe. The handler adds only what is missing.", ...claimWords(INBOX_NOTES, facts)].join(" "),
  ),
];

/** Of a dead message of the outbox that may be discarded: what a consumer holds already was delivered. */
export const OUTBOX_DISCARD_CLAIMS: readonly RequeueClaim<OutboxFacts>[] = [
  mismatchClaim,
  leaveClaim(
    "processed",
    "held, operation unknown",
    (facts) => isHeld(facts) && settleFirst(facts),
    (facts) =>
      `${tookIt(facts)}: it was delivered. Requeue closes it as that once the outcome of its operation is known.`,
  ),
  leaveClaim("processed", "held", isHeld, (facts) => `${tookIt(facts)}: it was delivered. Requeue closes it as that.`),
  // An attempt whose answer was lost may have arrived; and what waited behind it may have something else to wait for.
  actClaim("discard", "no longer sent", always, () => "It is no longer sent, and nothing waits behind it any more."),
];

/** Of a dead message of the inbox that may be discarded. */
export const INBOX_DISCARD_CLAIMS: readonly RequeueClaim<InboxFacts>[] = [
  actClaim(
    "discard",
    "no longer handled",
    always,
    // Retention deletes the row at last, and nothing knows its id then.
    ({ place }) => `${place} no longer handles it, nor a later arrival of its id while its row is kept.`,
  ),
];
