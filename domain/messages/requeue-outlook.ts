import type { MessageSide } from "./side";
import { firstClaim, type PageClaim } from "@/domain/page-claim";
import { whenText } from "./requeue-claims";
import type { EndpointState } from "./requeue-verdict";

/**
 * Whether a dead message would get through if it was requeued now. Another question than whether a requeue is safe: safe means that it
 * has no double effect, and what is safe may die again. Pure, from facts that rows hold; what no row says is not known.
 */
export const OUTLOOKS = ["likely", "waits", "unknown", "dies"] as const;
export type Outlook = (typeof OUTLOOKS)[number];

export const OUTLOOK_WORDS: Readonly<Record<Outlook, string>> = {
  likely: "Likely to succeed",
  waits: "Will wait",
  unknown: "Not known",
  dies: "Likely to die again",
};

export interface EndedAttempt {
  readonly code: string;
  /** RFC 3339 with microseconds. */
  readonly at: string;
}

export interface OutlookFacts {
  readonly side: MessageSide;
  /** What it died of. */
  readonly errorCode: string;
  /** RFC 3339 with microseconds, as all times here: they compare as text. */
  readonly deadAt: string;
  /** Of the merchant that its topic leads to; missing: its topic leads to no endpoint. */
  readonly endpoint?: EndpointState | undefined;
  /** Its topic is. */
  readonly paused: boolean;
  /** Requeues of it that ended in the same error. */
  readonly diedBefore: number;
  /** The newest success at its place. */
  readonly succeededAt?: string | undefined;
  /** Another message got through at its place between its last two attempts. */
  readonly succeededBetween: boolean;
  /** The newest attempt of another message at its place that did not work, if that was less than FAILING_MINUTES ago. */
  readonly failing?: EndedAttempt | undefined;
  /** The newest attempt at its place that did not work. */
  readonly failed?: EndedAttempt | undefined;
  /** What a person changed about its place, the newest. */
  readonly changed?: { readonly what: PlaceChangeKind; readonly at: string } | undefined;
  /** Every success at its place until now is among these facts. */
  readonly counted: boolean;
}

export type PlaceChangeKind = "enabled" | "route" | "secret";

/** An attempt of another message says something about now for so long. */
export const FAILING_MINUTES = 15;

/** The body or the id is what is wrong: both stay the same when it goes again. */
const PERMANENT =
  /(?:^|\.)(?:malformed|malformed_event|unknown_event|payload_mismatch|too_large|no_notification|no_letter)$|signature/;
/** The receiver refused this message, or this message ended its process: how others do there says nothing about it. */
const OWN = /\.http_(?:400|409|413|414|415|422)$|^mail\.no_address$|^inbox\.poisonous$|^outbox\.unfinished$/;
const NO_CONSUMER = "inbox.no_consumer";

export interface JudgedOutlook {
  readonly outlook: Outlook;
  /** One sentence: "Likely to die again: its endpoint was deleted." */
  readonly why: string;
}

export interface OutlookClaim extends PageClaim<OutlookFacts> {
  readonly outlook: Outlook;
}

const since = ({ succeededAt, deadAt }: OutlookFacts): boolean => succeededAt !== undefined && succeededAt > deadAt;
const failedSince = ({ failed, deadAt }: OutlookFacts): boolean => failed !== undefined && failed.at > deadAt;
/** What is wrong is in the message, as far as the rows say. */
const isOwn = (facts: OutlookFacts): boolean => OWN.test(facts.errorCode) || facts.succeededBetween;
const done = ({ side }: OutlookFacts): string => (side === "outbox" ? "delivered there" : "handled there");

const CHANGES: Readonly<Record<PlaceChangeKind, string>> = {
  enabled: "its endpoint was enabled",
  route: "the route of its topic was changed",
  secret: "the secret of its endpoint was rotated",
};

/** What is said of a dead message, the first that holds; each follows from rows alone. */
export const OUTLOOK_CLAIMS: readonly OutlookClaim[] = [
  {
    name: "endpoint deleted",
    outlook: "dies",
    holds: ({ endpoint }) => endpoint === "deleted",
    words: () => "its endpoint was deleted.",
  },
  {
    name: "cause in the message",
    outlook: "dies",
    holds: ({ errorCode }) => PERMANENT.test(errorCode),
    words: ({ errorCode }) => `the cause is in the message (${errorCode}), and the message stays the same.`,
  },
  {
    name: "consumer gone",
    outlook: "dies",
    holds: (facts) => facts.errorCode === NO_CONSUMER && facts.counted && !since(facts),
    words: () => "no worker has run its consumer since it died.",
  },
  {
    name: "endpoint disabled",
    outlook: "waits",
    holds: ({ endpoint }) => endpoint === "disabled",
    words: () => "its endpoint is disabled.",
  },
  {
    name: "topic paused",
    outlook: "waits",
    holds: ({ paused }) => paused,
    words: () => "its topic is paused.",
  },
  {
    name: "place fails now",
    outlook: "dies",
    holds: ({ failing, errorCode, succeededAt = "", counted }) =>
      failing !== undefined && counted && failing.code === errorCode && succeededAt < failing.at,
    words: ({ failing }) =>
      `the newest attempt there failed the same way ${whenText(failing?.at)}, and none worked since.`,
  },
  {
    name: "died again",
    outlook: "dies",
    holds: (facts) => facts.diedBefore > 0 && (isOwn(facts) || (!since(facts) && facts.changed === undefined)),
    words: () => "it was requeued before and died of the same error.",
  },
  {
    name: "others got through",
    outlook: "unknown",
    holds: ({ succeededBetween }) => succeededBetween,
    words: () => "other messages got through while it failed, so the cause may be in the message.",
  },
  {
    name: "refused by itself",
    outlook: "unknown",
    holds: isOwn,
    words: ({ errorCode }) => `${errorCode} is about this message, and nothing shows that its cause is gone.`,
  },
  {
    name: "place works",
    outlook: "likely",
    holds: (facts) => since(facts) && (facts.failed === undefined || facts.failed.at < (facts.succeededAt ?? "")),
    words: (facts) => `another message was ${done(facts)} ${whenText(facts.succeededAt)}, after it died.`,
  },
  {
    name: "place comes and goes",
    outlook: "unknown",
    holds: since,
    words: ({ failed }) =>
      `other messages got through since it died, but the newest attempt there failed (${failed?.code ?? "lost"}).`,
  },
  {
    name: "place changed",
    outlook: "likely",
    holds: ({ changed, deadAt, failed }) =>
      changed !== undefined && changed.at > deadAt && (failed === undefined || failed.at < changed.at),
    words: ({ changed }) =>
      changed === undefined ? "" : `${CHANGES[changed.what]} ${whenText(changed.at)}, after it died.`,
  },
  {
    name: "not counted",
    outlook: "unknown",
    holds: ({ counted }) => !counted,
    words: () => "what got through there since it died is not counted yet.",
  },
  {
    name: "failed since",
    outlook: "unknown",
    holds: failedSince,
    words: ({ failed }) =>
      `no attempt there has worked since it died; the newest failed ${whenText(failed?.at)} (${failed?.code ?? "lost"}).`,
  },
  {
    name: "not tried since",
    outlook: "unknown",
    holds: () => true,
    words: () => "nothing was tried there since it died.",
  },
];

/** Would it get through? Asked only where a requeue would send or handle it again. */
export function judgeOutlook(facts: OutlookFacts): JudgedOutlook {
  const { outlook, words } = firstClaim(OUTLOOK_CLAIMS, facts);
  return { outlook, why: `${OUTLOOK_WORDS[outlook]}: ${words(facts)}` };
}
