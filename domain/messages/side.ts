import type { InboxState, OutboxState } from "../idempotency/states";
import { backoffMs, scheduledMs, type Backoff, type RetrySchedule } from "./backoff";
import { isWebhookTopic } from "./topic-label";

/** Where a message is: on its way out, or arrived. The outbox is read by topic, the inbox by consumer: both are places where messages wait. */
export type MessageSide = "outbox" | "inbox";

/** How a dead letter was ended: `closed`: the other side holds the message; `corrected`: another one was sent in its place. */
export type DeadLetterSettlement = "requeued" | "closed" | "discarded" | "corrected";

export interface StateOf {
  readonly outbox: OutboxState;
  readonly inbox: InboxState;
}
/** What a message of either side may be. */
export type MessageState = StateOf[MessageSide];

type SideRules = {
  readonly [Side in MessageSide]: {
    /** While it waits for its next attempt, and once one has worked. */
    readonly waiting: StateOf[Side];
    readonly done: StateOf[Side];
    /** Failed attempts after which a message is dead. */
    readonly maxAttempts: number;
    /** Between two attempts. */
    readonly backoff: Backoff;
  };
};

/** Where the two sides differ by a value; what differs by its nature (deliver, handle) is code of its own. */
export const SIDES: SideRules = {
  outbox: { waiting: "pending", done: "published", maxAttempts: 12, backoff: { baseMs: 1_000, capMs: 300_000 } },
  inbox: { waiting: "recorded", done: "processed", maxAttempts: 5, backoff: { baseMs: 1_000, capMs: 60_000 } },
};

const [S, MIN, H] = [1_000, 60_000, 3_600_000];
/** Of a merchant's endpoint: twelve attempts over three days, as receivers of webhooks expect it. */
export const WEBHOOK_SCHEDULE: RetrySchedule = [
  ...[5 * S, 1 * MIN, 5 * MIN, 30 * MIN],
  ...[1 * H, 2 * H, 5 * H, 8 * H, 12 * H, 20 * H, 24 * H],
];

/**
 * How long a message waits after a failed attempt, milliseconds.
 * @param place topic or consumer
 * @param attempt the one that failed, from 1
 * @param random 0 ≤ random < 1
 */
export function attemptDelayMs(side: MessageSide, place: string, attempt: number, random: number): number {
  return side === "outbox" && isWebhookTopic(place)
    ? scheduledMs(attempt, WEBHOOK_SCHEDULE, random)
    : backoffMs(attempt, SIDES[side].backoff, random);
}

/** Started attempts that never ended: their process died, or was taken from them. One under way is none. */
export function unfinishedAttempts(started: number, finished: number, leased: boolean): number {
  return Math.max(0, started - finished - (leased ? 1 : 0));
}
