import { holding, type PageClaim } from "@/domain/page-claim";
import { formatDuration } from "../format/display-time";
import { times } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { InboxDetail } from "../views/inbox";
import type { OutboxDetail } from "../views/outbox";
import type { AnyMessage } from "./sides";

interface MessageClaim<Message> extends PageClaim<Message> {
  readonly tone: VerdictClause["tone"];
}
const claim = <Message>(
  name: string,
  tone: VerdictClause["tone"],
  holds: (message: Message) => boolean,
  words: (message: Message) => string,
): MessageClaim<Message> => ({ name, tone, holds, words });

export interface LeaseFacts {
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
}

/** Whose lease it is under, while that holds. */
export function heldNow(
  { owner, lockedUntil }: LeaseFacts,
  now: string,
): { readonly who: string; readonly until: string } | undefined {
  if (lockedUntil === undefined || lockedUntil <= now) return undefined;
  return { who: owner ?? "somebody", until: lockedUntil };
}

const took = (from: string, to = from): string => formatDuration(Date.parse(to) - Date.parse(from));
const isUnderWay = (message: AnyMessage): boolean => message.attempts > 0 && heldNow(message, message.at) !== undefined;
const which = ({ attempts }: AnyMessage): string =>
  attempts === 1 ? "its first attempt" : `attempt ${String(attempts)}`;
const isHeld = (message: AnyMessage): boolean => waits(message) && isUnderWay(message);
const tried = ({ attempts }: AnyMessage): string => (attempts === 1 ? "once" : `${String(attempts)} times`);

const waits = ({ state }: AnyMessage): boolean => state === "pending" || state === "recorded";
const isFree = (message: AnyMessage): boolean => waits(message) && !isUnderWay(message);
const isDead = ({ state }: AnyMessage): boolean => state === "dead";
const isDiscarded = ({ state, ...of }: AnyMessage): boolean =>
  state === "discarded" && !("correctedBy" in of && of.correctedBy !== undefined);
const isCorrected = ({ state, correctedBy }: OutboxDetail): boolean =>
  state === "discarded" && correctedBy !== undefined;

/** Of both sides. */
const DEAD: readonly MessageClaim<AnyMessage>[] = [
  claim("dead", "broken", isDead, (message) =>
    message.attempts <= 1 ? "Dead at the first attempt." : `Dead after ${String(message.attempts)} attempts.`,
  ),
];
const DISCARDED: readonly MessageClaim<AnyMessage>[] = [
  claim("discarded", "doubt", isDiscarded, () => "Discarded by a person."),
];
/** Why it may go again, or why it waits; held with the hints. */
const SAFE: readonly MessageClaim<AnyMessage>[] = [
  claim(
    "may it go again",
    "fine",
    (message) => isDead(message) || ("topic" in message && waits(message) && !isPaused(message)),
    ({ safe }) => safe.text,
  ),
];
const OUTLOOK: readonly MessageClaim<AnyMessage>[] = ([true, false] as const).map((dies) =>
  claim(
    dies ? "would die again" : "would it get through",
    dies ? "doubt" : "fine",
    (message) => isDead(message) && message.outlook !== undefined && (message.outlook.tone === "broken") === dies,
    ({ outlook }) => outlook?.text ?? "",
  ),
);

const isPublished = ({ state }: AnyMessage): boolean => state === "published";
const isClosed = (message: OutboxDetail): boolean => isPublished(message) && message.publishedBy === "operator";
const isPaused = (message: AnyMessage): boolean => "topic" in message && message.paused && isFree(message);
const isBehind = (message: OutboxDetail): boolean =>
  isFree(message) && !isPaused(message) && message.behind !== undefined;
const isNext = (message: OutboxDetail): boolean =>
  isFree(message) && !isPaused(message) && message.behind === undefined;
/** The consumers that have it in this state, as words. */
const named = ({ consumers }: OutboxDetail, state: string): string =>
  consumers
    .filter((each) => each.state === state)
    .map((each) => each.consumer)
    .join(" and ");
/** Of the states in which consumers have it, the one that somebody has to know of first. */
const leads = (state: string) => (message: OutboxDetail) =>
  isPublished(message) &&
  !isClosed(message) &&
  ["dead", "recorded", "discarded", "processed"].find((each) => named(message, each) !== "") === state;

/** What a message on its way out opens with. */
const OUT_CLAIMS: readonly MessageClaim<OutboxDetail>[] = [
  claim("closed", "fine", isClosed, () => "Closed by a person: its consumer had it already."),
  claim(
    "published",
    "fine",
    (message) => isPublished(message) && !isClosed(message),
    ({ createdAt, publishedAt, attempts }) =>
      `Published ${took(createdAt, publishedAt)} after it was written, ${attempts <= 1 ? "at the first attempt" : `at attempt ${String(attempts)}`}.`,
  ),
  claim("dead at a consumer", "broken", leads("dead"), (message) => `It is dead at ${named(message, "dead")}.`),
  claim("not handled", "doubt", leads("recorded"), (message) => `${named(message, "recorded")} did not handle it yet.`),
  claim(
    "discarded at a consumer",
    "doubt",
    leads("discarded"),
    (message) => `It was discarded at ${named(message, "discarded")}.`,
  ),
  claim("handled", "fine", leads("processed"), (message) => `Handled by ${named(message, "processed")}.`),
  claim("corrected", "doubt", isCorrected, () => "Corrected by a person."),
  claim("replaced", "fine", isCorrected, () => "Another message took its place."),
  ...DISCARDED,
  claim("no longer sent", "fine", isDiscarded, () => "It is no longer sent."),
  ...DEAD,
  claim("under way", "fine", isHeld, (message) => `Under way, ${which(message)}.`),
  claim("paused", "doubt", isPaused, () => "Waits: its topic is paused."),
  claim("nothing is lost", "fine", isPaused, () => "Nothing is lost."),
  claim("behind", "doubt", isBehind, () => "Waits behind an older message."),
  claim(
    "not published",
    "fine",
    // A requeue gives attempts back: it may have been sent before.
    (message) => isNext(message) && message.attempts === 0,
    () => "Not published yet.",
  ),
  claim(
    "tried",
    "doubt",
    (message) => isNext(message) && message.attempts > 0,
    (message) => `Tried ${tried(message)}, not published yet.`,
  ),
  ...SAFE,
  ...OUTLOOK,
];

const came = ({ duplicates, mismatches }: InboxDetail): number => 1 + duplicates + mismatches;

/** What a message that arrived opens with. */
const IN_CLAIMS: readonly MessageClaim<InboxDetail>[] = [
  claim(
    "handled",
    "fine",
    ({ state }) => state === "processed",
    ({ receivedAt, processedAt }) => `Handled, ${took(receivedAt, processedAt)} after it arrived.`,
  ),
  ...DISCARDED,
  claim("no longer handled", "fine", isDiscarded, () => "It is no longer handled."),
  ...DEAD,
  ...SAFE,
  ...OUTLOOK,
  claim("under way", "fine", isHeld, (message) => `Under way, ${which(message)}.`),
  claim(
    "not handled",
    "fine",
    (message) => isFree(message) && message.attempts === 0,
    () => "Recorded, not handled yet.",
  ),
  claim(
    "tried",
    "doubt",
    (message) => isFree(message) && message.attempts > 0,
    (message) => `Tried ${tried(message)}, not handled yet.`,
  ),
  claim(
    "arrived",
    "fine",
    () => true,
    (message) => `Arrived ${times(came(message))}${came(message) === 1 ? "" : ", recorded once"}.`,
  ),
  claim(
    "another payload",
    "conflict",
    ({ mismatches }) => mismatches > 0,
    ({ mismatches }) => `${String(mismatches)} with another payload, never handled.`,
  ),
];

function said<Message>(claims: readonly MessageClaim<Message>[], message: Message): readonly VerdictClause[] {
  return holding(claims, message).map(({ tone, words }) => ({ tone, text: words(message) }));
}

/** The verdict on one message: how it ended, else why it waits; of an arrival also how often it came. */
export function messageClauses(message: AnyMessage): readonly VerdictClause[] {
  return "topic" in message ? said(OUT_CLAIMS, message) : said(IN_CLAIMS, message);
}
