import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { plural } from "../format/words";

/** What a dialog knows of an endpoint. */
export interface EndpointFacts {
  readonly waiting: number;
  /** How long two secrets are valid after a rotation. */
  readonly overlapHours: number;
  readonly disabled: boolean;
}
type EndpointClaim = PageClaim<EndpointFacts>;
const claim = (name: string, words: EndpointClaim["words"]): EndpointClaim => ({ name, holds: () => true, words });
const none: EndpointClaim = {
  name: "nothing waits",
  holds: ({ waiting }) => waiting === 0,
  words: () => "No message waits for it now.",
};
const waiting = (facts: EndpointFacts): string => plural(facts.waiting, "waiting message");
/** A message that stands behind another one, or whose topic is paused, has its turn later. */
const turn = (facts: EndpointFacts): string => (facts.waiting === 1 ? "its turn" : "their turn");
const hours = ({ overlapHours }: EndpointFacts): string => plural(overlapHours, "hour");

const ROTATE_EFFECT: readonly EndpointClaim[] = [
  claim(
    "both sign",
    (facts) =>
      `A new secret is created. For ${hours(facts)} each delivery carries a signature by the new and by the old one.`,
  ),
];
const ROTATE_NOT_DONE: readonly EndpointClaim[] = [
  claim(
    "the old one stays",
    (facts) => `The old secret is not refused before ${hours(facts)} ${facts.overlapHours === 1 ? "is" : "are"} over.`,
  ),
];
const DISABLE_EFFECT: readonly EndpointClaim[] = [
  none,
  claim("will wait", (facts) => `${waiting(facts)} will wait while it is disabled.`),
];
const ENABLE_EFFECT: readonly EndpointClaim[] = [
  {
    name: "nothing to send",
    holds: (facts) => none.holds(facts),
    words: () => "What happens from now on will be sent.",
  },
  claim("will be sent", (facts) => `${waiting(facts)} will be sent at ${turn(facts)}, and what happens from now on.`),
];
const DELETE_EFFECT: readonly EndpointClaim[] = [
  { name: "nothing dies", holds: (facts) => none.holds(facts), words: () => "Nothing more is sent there." },
  claim(
    "dies",
    (facts) =>
      `Nothing more is sent there. ${waiting(facts)} will become ${facts.waiting === 1 ? "a dead letter" : "dead letters"} at ${turn(facts)}.`,
  ),
];

const isOff = ({ disabled }: EndpointFacts): boolean => disabled;
const CHANGE_EFFECT: readonly EndpointClaim[] = [
  {
    name: "off",
    holds: isOff,
    words: () =>
      "It is disabled. Once it is enabled, events of the types that are ticked are sent there; with none ticked, all are.",
  },
  claim(
    "from now on",
    () => "From now on events of the types that are ticked are sent there; with none ticked, all are.",
  ),
];
const CHANGE_NOT_DONE: readonly EndpointClaim[] = [
  claim(
    "they stay",
    () => "Messages that wait already stay queued. The address stays: another address is another endpoint.",
  ),
];

/** What the dialogs of an endpoint say. */
export function endpointWords(facts: EndpointFacts) {
  return {
    change: firstWords(CHANGE_EFFECT, facts),
    notChanged: firstWords(CHANGE_NOT_DONE, facts),
    rotate: firstWords(ROTATE_EFFECT, facts),
    notRefused: firstWords(ROTATE_NOT_DONE, facts),
    disable: firstWords(DISABLE_EFFECT, facts),
    enable: firstWords(ENABLE_EFFECT, facts),
    delete: firstWords(DELETE_EFFECT, facts),
  };
}

/** What a new secret of an event source leaves as it is. @param hours how long earlier ones stay valid */
const SOURCE_CLAIMS: readonly PageClaim<number>[] = [
  {
    name: "earlier secrets",
    holds: () => true,
    words: (of) => `Earlier secrets stay valid for another ${plural(of, "hour")}, so that both sides may change over.`,
  },
];

export function sourceEvidence(overlapHours: number): string {
  return firstWords(SOURCE_CLAIMS, overlapHours);
}

/** The secret of an event source that is about to end. */
interface EndingFacts {
  readonly source: string;
  /** The only valid one that its source has. */
  readonly last: boolean;
}
/** Whose events are also signed with a secret of the deployment. */
const SHARED_SOURCE = "provider";
/** What comes without a signature, from a client with a key, no secret lets in and none shuts out. */
const EXPIRE_EFFECT: readonly PageClaim<EndingFacts>[] = [
  {
    name: "the deployment's is left",
    holds: ({ source, last }) => last && source === SHARED_SOURCE,
    words: () =>
      "It is the last one of its own: within a minute only events signed with the secret of the deployment are accepted.",
  },
  {
    name: "none is left",
    holds: ({ last }) => last,
    words: () =>
      "It is the last valid one: every signed event of this source is refused, over HTTP with 401 from now on, from a broker within a minute.",
  },
  {
    name: "others are left",
    holds: ({ last }) => !last,
    words: () =>
      "Events that are signed with it alone are refused, over HTTP with 401 from now on, from a broker within a minute.",
  },
];

export function expireEffect(facts: EndingFacts): string {
  return firstWords(EXPIRE_EFFECT, facts);
}

/** Endpoints that there are, and how many a tenant may have. */
interface LimitFacts {
  readonly count: number;
  readonly limit: number;
}
const LIMIT_CLAIMS: readonly PageClaim<LimitFacts>[] = [
  {
    name: "full",
    holds: ({ count, limit }) => count >= limit,
    words: ({ limit }) => `A tenant has at most ${plural(limit, "endpoint")}.`,
  },
];

/** @returns why no endpoint can be added; undefined where one can */
export function endpointLimit(facts: LimitFacts): string | undefined {
  return claimWords(LIMIT_CLAIMS, facts)[0];
}
