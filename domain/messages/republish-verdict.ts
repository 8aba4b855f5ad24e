import { firstClaim, type PageClaim } from "../page-claim";
import { judgeAlive } from "./judge-message";
import { whenText } from "./requeue-claims";
import type { HeldBy, OutboxFacts } from "./requeue-verdict";

/**
 * Whether a message that its transport acknowledged may be published again, because it never arrived: a broker lost it, or its receiver says so.
 * It goes out under its old id with the same bytes, so whoever has it drops the copy. Where an inbox of ours has it, it arrived, and nothing is
 * sent. Pure, from facts that one bounded query read.
 */
export const REPUBLISH_VERDICTS = [
  "lost",
  "arrived",
  "mismatch",
  "operation_unknown",
  "recent",
  "spent",
  "old",
  "no_way",
  "moved",
] as const;
export type RepublishVerdict = (typeof REPUBLISH_VERDICTS)[number];

/** One publication of a message that was published again, and who let it go again. */
export interface Republication {
  /** RFC 3339 UTC. */
  readonly publishedAt: string;
  readonly publishedBy: string | null;
  readonly transport: string;
  readonly attempts: number;
  /** When it was put back, RFC 3339 UTC. */
  readonly at: string;
  readonly by: string;
  readonly reason: string;
}

/** Times that one message may be published again. */
export const REPUBLISH_MAX = 3;
/** Minutes after a publication in which nothing is published again: longer than a stream of NATS knows ids, and than most consumers are behind. */
export const REPUBLISH_AFTER_MINUTES = 3;

export interface RepublishFacts extends OutboxFacts {
  /** What carried it; missing: a person closed it, and nothing was sent. */
  readonly transport?: string | undefined;
  /** Started, until it was acknowledged. */
  readonly attempts: number;
  /** It was published less than REPUBLISH_AFTER_MINUTES ago. */
  readonly recent: boolean;
  /** It was written so long ago that an inbox may have forgotten its arrival. */
  readonly old: boolean;
  /** The key that its payload is sealed by was destroyed. */
  readonly purged: boolean;
  /** Earlier publications, the oldest first. */
  readonly republished: readonly Republication[];
}

export interface JudgedRepublish {
  readonly verdict: RepublishVerdict;
  readonly acts: boolean;
  /** One or two sentences for a person. */
  readonly why: string;
}

interface RepublishClaim extends PageClaim<RepublishFacts> {
  readonly verdict: RepublishVerdict;
}

const MAIL = "mail";
const claim = (
  verdict: RepublishVerdict,
  name: string,
  holds: (facts: RepublishFacts) => boolean,
  words: (facts: RepublishFacts) => string,
): RepublishClaim => ({ verdict, name, holds, words });
const always = (): boolean => true;
/** Another payload first, then what was processed. A receiver elsewhere is not told by our inbox. */
function heldBy({ held, foreign }: RepublishFacts): HeldBy | undefined {
  if (foreign) return undefined;
  return held.find((row) => !row.samePayload) ?? held.find((row) => row.state === "processed") ?? held[0];
}
const times = (count: number): string => (count === 1 ? "once" : `${String(count)} times`);
const HELD_WORDS: Readonly<Record<HeldBy["state"], string>> = {
  processed: "processed it",
  recorded: "received it",
  dead: "has it as a dead letter, received",
  discarded: "has it as discarded, received",
};

/** Why it is not published again: the first that holds. */
export const REPUBLISH_REFUSALS: readonly RepublishClaim[] = [
  claim(
    "moved",
    "dead",
    ({ state }) => state === "dead",
    () => "It is a dead letter: requeue it instead.",
  ),
  claim(
    "moved",
    "not published",
    ({ state }) => state !== "published",
    (facts) => judgeAlive(facts)?.why ?? "It is not published.",
  ),
  claim(
    "moved",
    "closed by a person",
    ({ transport }) => transport === undefined,
    ({ publishedAt }) => `A person closed it as delivered ${whenText(publishedAt)}: it was not sent.`,
  ),
  claim(
    "mismatch",
    "other payload held",
    (facts) => heldBy(facts)?.samePayload === false,
    (facts) => `${heldBy(facts)?.consumer ?? "A consumer"} holds another payload under this id.`,
  ),
  claim(
    "arrived",
    "arrived",
    (facts) => heldBy(facts) !== undefined,
    (facts) => {
      const { consumer, state, at } = heldBy(facts) ?? { consumer: "A consumer", state: "recorded" as const, at: "" };
      return `It arrived: ${consumer} ${HELD_WORDS[state]} ${whenText(at)}.`;
    },
  ),
  claim(
    "no_way",
    "mail",
    ({ place }) => place === MAIL,
    () => "A mail server knows no message ids: a mail that arrived would arrive twice.",
  ),
  claim(
    "no_way",
    "endpoint deleted",
    ({ endpoint }) => endpoint === "deleted",
    () => "Its endpoint was deleted: there is nowhere to send it.",
  ),
  claim(
    "no_way",
    "payload purged",
    ({ purged }) => purged,
    () => "Its payload was purged: nothing is left to send.",
  ),
  claim(
    "operation_unknown",
    "operation unknown",
    ({ operationUnknown }) => operationUnknown,
    () => "The outcome of its operation is unknown: settle that first.",
  ),
  claim(
    "spent",
    "published again too often",
    ({ republished }) => republished.length >= REPUBLISH_MAX,
    ({ republished }) => `It was published again ${times(republished.length)} already, which is the most.`,
  ),
  claim(
    "old",
    "too old",
    ({ old }) => old,
    () => "It is so old that the record of its arrival may be deleted: it could be handled twice.",
  ),
  claim(
    "recent",
    "just published",
    ({ recent }) => recent,
    ({ publishedAt }) =>
      `It was published ${whenText(publishedAt)}: for ${String(REPUBLISH_AFTER_MINUTES)} minutes it may be on its way.`,
  ),
];

const acknowledged = ({ transport = "the transport", publishedAt, attempts }: RepublishFacts): string =>
  `The receiver acknowledged it over ${transport} ${whenText(publishedAt)}, at attempt ${String(attempts)}`;
const brokerTook = ({ transport = "The transport", publishedAt, attempts }: RepublishFacts): string =>
  `The broker (${transport}) acknowledged it ${whenText(publishedAt)}, at attempt ${String(attempts)}`;

/** What is known where it may be published again: the first that holds. */
export const REPUBLISH_OFFERED: readonly RepublishClaim[] = [
  claim(
    "lost",
    "nothing in our inbox",
    ({ foreign }) => !foreign,
    (facts) => `${brokerOrHttp(facts)}, and no consumer here has its id.`,
  ),
  claim(
    "lost",
    "receiver elsewhere",
    always,
    (facts) => `${brokerOrHttp(facts)}; whether its receiver has it is not known here.`,
  ),
];

function brokerOrHttp(facts: RepublishFacts): string {
  return facts.transport === "http" ? acknowledged(facts) : brokerTook(facts);
}

/** What else is known of one that may be published again. */
export const REPUBLISH_NOTES: readonly PageClaim<RepublishFacts>[] = [
  {
    name: "published again before",
    holds: ({ republished }) => republished.length > 0,
    words: ({ republished }) =>
      `It was published again ${times(republished.length)} before, last ${whenText(republished.at(-1)?.at)}.`,
  },
  {
    name: "topic paused",
    holds: ({ paused }) => paused,
    words: () => "Its topic is paused: it would wait until the topic is resumed.",
  },
  {
    name: "endpoint disabled",
    holds: ({ endpoint }) => endpoint === "disabled",
    words: () => "Its endpoint is disabled: it would wait until the endpoint is enabled.",
  },
];

/** @param facts undefined: there is no such message */
export function judgeRepublish(facts: RepublishFacts | undefined): JudgedRepublish {
  if (facts === undefined) return { verdict: "moved", acts: false, why: "There is no such message any more." };
  const refusal = REPUBLISH_REFUSALS.find((each) => each.holds(facts));
  if (refusal !== undefined) return { verdict: refusal.verdict, acts: false, why: refusal.words(facts) };
  const { verdict, words } = firstClaim(REPUBLISH_OFFERED, facts);
  const notes = REPUBLISH_NOTES.filter((note) => note.holds(facts)).map((note) => note.words(facts));
  return { verdict, acts: true, why: [words(facts), ...notes].join(" ") };
}
