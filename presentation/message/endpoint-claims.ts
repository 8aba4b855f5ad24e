import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { DELIVERY_TIMEOUT_MS, ENDPOINT_REMEMBERED_MS } from "@/domain/messages/delivery";
import { waitingMessages } from "../format/waiting-count";
import { plural } from "../format/words";
import type { WebhookEndpointView } from "../views/webhooks";
import { isDown } from "./endpoints-verdict";

/** What a dialog knows of an endpoint. */
export interface EndpointFacts {
  readonly waiting: number;
  /** How long two secrets are valid after a rotation. */
  readonly overlapHours: number;
  readonly disabled: boolean;
}
type EndpointClaim = PageClaim<EndpointFacts>;
const claim = (name: string, words: EndpointClaim["words"]): EndpointClaim => ({ name, holds: () => true, words });
const isIdle = ({ waiting }: Pick<EndpointFacts, "waiting">): boolean => waiting === 0;
const waits = ({ waiting }: EndpointFacts): string =>
  `${waitingMessages({ waiting })} ${waiting === 1 ? "waits" : "wait"} for it now`;
const hours = ({ overlapHours }: EndpointFacts): string => plural(overlapHours, "hour");

const SECOND = 1_000;
const REMEMBERED_S = ENDPOINT_REMEMBERED_MS / SECOND;
const STOPPED_S = (ENDPOINT_REMEMBERED_MS + DELIVERY_TIMEOUT_MS) / SECOND;
/** Relays remember what they read of an endpoint, and what is under way ends. */
export const DELIVERIES_STOP = `Deliveries stop within about ${String(STOPPED_S)} seconds`;

const ROTATE_EFFECT: readonly EndpointClaim[] = [
  claim(
    "both sign",
    (facts) =>
      `A new secret is created. After ${String(REMEMBERED_S)} seconds at the latest, and for ${hours(facts)}, each delivery is signed by the new and by the old one.`,
  ),
];
const ROTATE_NOT_DONE: readonly EndpointClaim[] = [
  claim(
    "the old one stays",
    (facts) => `The old secret does not end before ${hours(facts)} ${facts.overlapHours === 1 ? "is" : "are"} over.`,
  ),
];
const DISABLE_EFFECT: readonly EndpointClaim[] = [
  { name: "nothing waits", holds: isIdle, words: () => `${DELIVERIES_STOP}. No message waits for it now.` },
  claim(
    "will wait",
    (facts) => `${DELIVERIES_STOP}. ${waits(facts)}; what is not sent by then waits until it is enabled again.`,
  ),
];
const FROM_NOW_ON = "events of its types that our inbox handles from now on";
const ENABLE_EFFECT: readonly EndpointClaim[] = [
  {
    name: "nothing to send",
    holds: isIdle,
    words: () => `The relay may send there again: ${FROM_NOW_ON}.`,
  },
  // Its topic may be paused, and a dead message before them.
  claim(
    "may be sent",
    ({ waiting }) =>
      `The relay may send there again: ${waitingMessages({ waiting }, "waiting message")}, and ${FROM_NOW_ON}.`,
  ),
];
const DELETE_EFFECT: readonly EndpointClaim[] = [
  { name: "nothing dies", holds: isIdle, words: () => `${DELIVERIES_STOP}.` },
  claim(
    "dies",
    (facts) =>
      `${DELIVERIES_STOP}. ${waits(facts)}; what is not sent by then becomes a dead letter when its turn comes.`,
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

/** What the dialogs of an endpoint say. */
export function endpointWords(facts: EndpointFacts) {
  return {
    change: firstWords(CHANGE_EFFECT, facts),
    rotate: firstWords(ROTATE_EFFECT, facts),
    notEnded: firstWords(ROTATE_NOT_DONE, facts),
    disable: firstWords(DISABLE_EFFECT, facts),
    enable: firstWords(ENABLE_EFFECT, facts),
    delete: firstWords(DELETE_EFFECT, facts),
  };
}

type Tested = Pick<WebhookEndpointView, "down" | "disabled" | "waiting">;

// Its topic may be paused, and what waits in a line behind another.
const TEST_EFFECT: readonly PageClaim<Tested>[] = [
  {
    name: "one may go",
    holds: () => true,
    words: () =>
      "The relay may send one waiting message there at its next turn, as a test. If the endpoint accepts it, the others may be sent too; if not, the next test comes later.",
  },
];
const NOT_TESTED: readonly PageClaim<Tested>[] = [
  { name: "disabled", holds: ({ disabled }) => disabled !== undefined, words: () => "It is disabled." },
  {
    name: "not down",
    holds: (one) => one.disabled === undefined && !isDown(one),
    words: () => "It is not down.",
  },
  {
    name: "tested",
    holds: (one) => isDown(one) && one.down?.testing === true,
    words: () => "A test is under way.",
  },
  { name: "nothing waits", holds: isIdle, words: () => "No message waits for it." },
];

/** What the dialog says that sends one message to an endpoint that is down, and why that cannot be asked now. */
export function testWords(one: Tested): { readonly effect: string; readonly notOffered: string | undefined } {
  return { effect: firstWords(TEST_EFFECT, one), notOffered: claimWords(NOT_TESTED, one)[0] };
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
