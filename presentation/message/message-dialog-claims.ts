import { firstWords, type PageClaim } from "@/domain/page-claim";
import type { MessageSide } from "@/domain/messages/side";
import { formatCount } from "../format/display-time";
import { waitingMessages } from "../format/waiting-count";

/** What a dialog about one message knows of it. */
interface MessageFacts {
  readonly side: MessageSide;
  /** Its topic or consumer, for people; unknown where it has left the list. */
  readonly place?: string | undefined;
}

const DISCARD_EFFECT: readonly PageClaim<MessageFacts>[] = [
  {
    name: "no longer sent",
    holds: ({ side }) => side === "outbox",
    words: ({ place }) =>
      `It is no longer sent${place === undefined ? "" : ` to ${place}`}, and nothing waits behind it any more.`,
  },
  {
    name: "no longer handled",
    holds: () => true,
    words: ({ place = "Its consumer" }) =>
      `${place} no longer handles it, nor a later arrival of its id while its row is kept.`,
  },
];

export function discardEffect(facts: MessageFacts): string {
  return firstWords(DISCARD_EFFECT, facts);
}

const REQUEUE_EFFECT: readonly PageClaim<MessageFacts>[] = [
  {
    name: "pending again",
    holds: ({ side }) => side === "outbox",
    // When it leaves, and whether: a topic may be paused, an endpoint disabled, another message before it.
    words: ({ place }) =>
      `The message becomes pending with all its attempts back, to be sent${place === undefined ? "" : ` to ${place}`}. What waits behind it keeps its place.`,
  },
  {
    name: "handled again",
    holds: () => true,
    words: () =>
      "The message becomes recorded with all its attempts back. Its consumer handles it in its own transaction.",
  },
];

export function requeueEffect(facts: MessageFacts): string {
  return firstWords(REQUEUE_EFFECT, facts);
}

const REPUBLISH_EFFECT: readonly PageClaim<MessageFacts>[] = [
  {
    name: "published again",
    holds: () => true,
    words: ({ place }) =>
      `The message goes back to the outbox, to be sent${place === undefined ? "" : ` to ${place}`} once more. It keeps its place: what still waits behind it waits for it, and what left before may have arrived before it.`,
  },
];

export function republishEffect(facts: MessageFacts): string {
  return firstWords(REPUBLISH_EFFECT, facts);
}

/** What waits in a topic, and by what it goes. */
interface RouteFacts {
  readonly waiting: number;
  /** "NATS JetStream". */
  readonly by: string;
}
const ROUTE_EVIDENCE: readonly PageClaim<RouteFacts>[] = [
  {
    name: "nothing waits",
    holds: ({ waiting }) => waiting === 0,
    words: ({ by }) => `Nothing waits in it now. It goes by ${by}.`,
  },
  {
    name: "waits",
    holds: () => true,
    words: ({ waiting, by }) =>
      `${waitingMessages({ waiting })} ${waiting === 1 ? "waits" : "wait"} in it now, by ${by}.`,
  },
];

export function routeEvidence(facts: RouteFacts): string {
  return firstWords(ROUTE_EVIDENCE, facts);
}

/** A line of messages that stands still behind a dead one, as far as this page of the list has it. */
interface StalledFacts {
  readonly behind: number;
  readonly position: string;
}
const STALLED_CLAIMS: readonly PageClaim<StalledFacts>[] = [
  {
    name: "stands still",
    holds: () => true,
    words: ({ behind, position }) =>
      `stands still, ${formatCount(behind)} on this page ${behind === 1 ? "waits" : "wait"} behind #${position}. Nothing is lost, nothing is out of order.`,
  },
];

export function stalledWords(facts: StalledFacts): string {
  return firstWords(STALLED_CLAIMS, facts);
}

/** @param count of the fields of a corrected body that differ */
const DIFFERING: readonly PageClaim<number>[] = [
  { name: "one", holds: (count) => count === 1, words: () => "1 field differs." },
  { name: "several", holds: () => true, words: (count) => `${String(count)} fields differ.` },
];

export function differingFieldsWords(count: number): string {
  return firstWords(DIFFERING, count);
}
