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

const FOREIGN_TOPICS = /^webhook:|^mail$/;

/**
 * @param destination as an operator set it for the topic; none: the transport's own default, which is our inbox
 * @returns whether a topic leaves for somebody else, so that no inbox of ours tells whether a message arrived
 */
export function isForeign(topic: string, destination: string | undefined): boolean {
  return FOREIGN_TOPICS.test(topic) || destination !== undefined;
}

export const VERDICT_WORDS: Readonly<Record<RequeueVerdict, string>> = {
  safe: "Safe",
  processed: "Already processed",
  operation_unknown: "Operation unknown",
  mismatch: "Other payload held",
  leased: "Still leased",
  moved: "Moved since",
};
