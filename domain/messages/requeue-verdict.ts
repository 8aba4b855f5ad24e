import { writtenTime } from "../written-time";
import { outageText } from "./outage";

/**
 * Whether a dead message may try again. One rule for what a list says beside it, a single requeue, a plan's dry run
 * and the moment before a plan's row acts; pure, from facts that one bounded query read.
 */
export const REQUEUE_VERDICTS = ["safe", "processed", "operation_unknown", "mismatch", "leased", "moved"] as const;
export type RequeueVerdict = (typeof REQUEUE_VERDICTS)[number];

/** Where the topic of a merchant's webhooks leads. */
export type EndpointState = "enabled" | "disabled" | "deleted";

/** What to do: try again, close as delivered without sending, drop for good, or leave it alone. */
export type DeadLetterAct = "requeue" | "close" | "discard" | "leave";

export interface Judged {
  readonly verdict: RequeueVerdict;
  readonly act: DeadLetterAct;
  /** One plain sentence for a person. */
  readonly why: string;
  /** The same in a word or two, for a row that shows the rest of it: of what has come to its end. */
  readonly brief?: string | undefined;
}

/** An inbox of ours that has a row of the message's id from our own outbox. */
export interface HeldBy {
  readonly consumer: string;
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  /** RFC 3339. */
  readonly at: string;
  readonly samePayload: boolean;
}

interface SharedFacts {
  /** Topic or consumer. */
  readonly place: string;
  readonly leased: boolean;
  /** RFC 3339, when leased. */
  readonly lockedUntil?: string | undefined;
  /** The outcome of the operation that it tells of is not known. */
  readonly operationUnknown: boolean;
}

export interface OutboxFacts extends SharedFacts {
  readonly side: "outbox";
  readonly state: "pending" | "published" | "dead" | "discarded";
  /** RFC 3339, when published. */
  readonly publishedAt?: string | undefined;
  readonly held: readonly HeldBy[];
  /** It leaves for somebody whose inbox is not in this database. */
  readonly foreign: boolean;
  /** An operator lets its topic rest. */
  readonly paused: boolean;
  /** One of OUTAGE_CODES, if nothing could be sent there at all when it was tried last. */
  readonly outage?: string | undefined;
  /** While it is pending: what the oldest message before it in its order is. It leaves after that one. */
  readonly behind?: "pending" | "dead" | undefined;
  /** Of the merchant that its topic leads to; missing: its topic leads to no endpoint. */
  readonly endpoint?: EndpointState | undefined;
  /** Of a discarded one: the message that was sent in its place. */
  readonly correctedBy?: string | undefined;
}

export interface InboxFacts extends SharedFacts {
  readonly side: "inbox";
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  /** RFC 3339, when processed. */
  readonly processedAt?: string | undefined;
  /** What its consumer said of it: "already posted". */
  readonly result?: string | undefined;
  /** Arrivals of its id with another payload. */
  readonly mismatches: number;
  /** Attempts that began and never ended. */
  readonly unfinished: number;
}

export type DeadLetterFacts = OutboxFacts | InboxFacts;

/** What is known of a message without a look at anything else: its own row says it. */
export type RowFacts =
  Omit<OutboxFacts, "held" | "foreign" | "operationUnknown"> | Omit<InboxFacts, "operationUnknown">;

/** The consumer whose messages are about unknown operations by nature: it is what settles them. */
const SETTLES_OPERATIONS = "provider-webhook";
const FOREIGN_TOPICS = /^webhook:|^mail$/;
/** Mail goes to people, who know no message id. */
const MAIL_TOPIC = "mail";
export const GONE: Judged = { verdict: "moved", act: "leave", why: "There is no such message any more." };

/**
 * @param destination as an operator set it for the topic; none: the transport's own default, which is our inbox
 * @returns whether a topic leaves for somebody else, so that no inbox of ours tells whether a message arrived
 */
export function isForeign(topic: string, destination: string | undefined): boolean {
  return FOREIGN_TOPICS.test(topic) || destination !== undefined;
}

/** May it try again? @param facts undefined: its row is gone */
export function judgeRequeue(facts: DeadLetterFacts | undefined): Judged {
  if (facts === undefined) return GONE;
  return judgeAlive(facts) ?? whileDead(facts);
}

/** The verdict on a message that is not dead, whatever is asked of it. @returns undefined while it is dead: then more decides */
export function judgeAlive(facts: RowFacts): Judged | undefined {
  return facts.side === "outbox" ? outboxNotDead(facts) : inboxNotDead(facts);
}

/** May it be dropped for good? The same facts: what a consumer holds already was delivered, so it is closed, not discarded. */
export function judgeDiscard(facts: DeadLetterFacts | undefined): Judged {
  if (facts === undefined) return GONE;
  const alive = judgeAlive(facts);
  if (alive !== undefined) return alive;
  const discard = (why: string): Judged => ({ verdict: "safe", act: "discard", why });
  if (facts.side === "inbox")
    return discard(`${facts.place} never handles it. A later arrival of its id stays a duplicate.`);
  const held = heldBy(facts);
  if (held === undefined) return discard("It is never sent. What waits behind it goes on.");
  if (!held.samePayload) return mismatch(held);
  return leave("processed", `${tookIt(held)}: it was delivered. Requeue closes it as that.`);
}

type Of<Side> = Extract<RowFacts, { readonly side: Side }>;

function outboxNotDead(facts: Of<"outbox">): Judged | undefined {
  switch (facts.state) {
    case "dead":
      return undefined;
    case "published":
      return { ...moved(`It was published ${whenText(facts.publishedAt)}.`), brief: "Published." };
    case "discarded":
      return facts.correctedBy === undefined
        ? moved("It was discarded: it is never sent.")
        : { ...moved(`It was corrected: ${facts.correctedBy} was sent in its place.`), brief: "Corrected." };
    case "pending":
      return facts.leased ? leased("A relay", facts) : moved(waitsToLeave(facts));
  }
}

function waitsToLeave({ paused, outage, behind, endpoint }: Of<"outbox">): string {
  if (endpoint === "deleted") return "Its endpoint was deleted: it dies at its next try.";
  if (behind === "dead") return "Waits behind a dead message: it leaves once that is requeued or discarded.";
  if (paused) return "Its topic is paused: it leaves when the topic is resumed.";
  if (endpoint === "disabled") return "Its endpoint is disabled: it leaves when the endpoint is enabled.";
  if (behind === "pending") return "Queued behind an older message; will be sent after it.";
  if (outage !== undefined) return `Waiting: at the last try ${outageText(outage)}. No attempt was counted.`;
  return "Queued; will be sent automatically.";
}

function inboxNotDead(facts: Of<"inbox">): Judged | undefined {
  switch (facts.state) {
    case "dead":
      return undefined;
    case "processed":
      return processed(facts);
    case "discarded":
      return moved("It was discarded: it is never handled.");
    case "recorded":
      return facts.leased
        ? leased("A consumer", facts)
        : moved(["Queued; will be handled automatically.", ...inboxNotes(facts)].join(" "));
  }
}

function processed({ place, processedAt, result }: Of<"inbox">): Judged {
  const said = result === undefined ? "" : `: ${result}`;
  const why = `${place} processed it ${whenText(processedAt)}${said}. Handling it again does nothing.`;
  return { ...leave("processed", why), brief: `Handled once${said}.` };
}

function whileDead(facts: DeadLetterFacts): Judged {
  if (facts.operationUnknown && facts.place !== SETTLES_OPERATIONS)
    return leave("operation_unknown", "The outcome of its operation is unknown: settle that first.");
  if (facts.side === "inbox") return safe(inboxSentence(facts));
  const held = heldBy(facts);
  if (held === undefined) return safe(outboxSentence(facts));
  if (!held.samePayload) return mismatch(held);
  return { verdict: "processed", act: "close", why: `${tookIt(held)}. Sending it again does nothing.` };
}

/**
 * The row that decides: another payload first, then what was processed, then whatever holds it. None where it leaves for somebody
 * else: that our inbox took it before its topic was sent elsewhere says nothing about them, and closing it would lose it there.
 */
function heldBy({ held, foreign }: OutboxFacts): HeldBy | undefined {
  if (foreign) return undefined;
  return held.find((row) => !row.samePayload) ?? held.find((row) => row.state === "processed") ?? held[0];
}

function tookIt({ consumer, state, at }: HeldBy): string {
  return `${consumer} ${state === "processed" ? "processed" : "recorded"} it ${whenText(at)}`;
}

function outboxSentence(facts: OutboxFacts): string {
  const first = facts.foreign ? foreignSentence(facts) : "Safe. No consumer has seen this id.";
  return facts.paused ? `${first} Its topic is paused: it leaves when the topic is resumed.` : first;
}

/** A mail server does not know our ids: what arrived already arrives again. */
function foreignSentence({ place }: OutboxFacts): string {
  return place === MAIL_TOPIC
    ? "Safe for money. Delivery unconfirmed; if the mail arrived, it arrives again."
    : "Safe. Delivery unconfirmed; same id, so the receiver can deduplicate.";
}

function inboxSentence(facts: InboxFacts): string {
  return ["Safe. The handler adds only what is missing.", ...inboxNotes(facts)].join(" ");
}

function inboxNotes({ mismatches, unfinished }: Of<"inbox">): readonly string[] {
  return [
    ...(mismatches > 0 ? ["Its id also came with another payload; only the first is handled."] : []),
    ...(unfinished > 1 ? [`${String(unfinished)} attempts never ended: it is handled alone.`] : []),
  ];
}

/** "on 20 Nov 2026, 10:00:00 UTC". @param at RFC 3339 UTC */
export function whenText(at: string | undefined): string {
  return at === undefined ? "at an earlier time" : `on ${writtenTime(at, "second")}`;
}

const leave = (verdict: RequeueVerdict, why: string): Judged => ({ verdict, act: "leave", why });
const safe = (why: string): Judged => ({ verdict: "safe", act: "requeue", why });
const moved = (why: string): Judged => leave("moved", why);
const leased = (who: string, { lockedUntil }: Pick<SharedFacts, "lockedUntil">): Judged =>
  leave(
    "leased",
    `${who} holds it until ${lockedUntil === undefined ? "its lease ends" : writtenTime(lockedUntil, "second")}.`,
  );
const mismatch = ({ consumer }: HeldBy): Judged =>
  leave("mismatch", `${consumer} holds another payload under this id.`);

export const VERDICT_WORDS: Readonly<Record<RequeueVerdict, string>> = {
  safe: "Safe",
  processed: "Already processed",
  operation_unknown: "Operation unknown",
  mismatch: "Other payload held",
  leased: "Still leased",
  moved: "Moved since",
};
