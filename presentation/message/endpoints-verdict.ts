import { claimWords, holding, type PageClaim } from "@/domain/page-claim";
import { formatAge, formatCount } from "../format/display-time";
import { isAtLeast, type WaitingCount, waitingMessages } from "../format/waiting-count";
import { plural } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { WebhookEndpointView } from "../views/webhooks";

type Endpoints = readonly WebhookEndpointView[];
interface Toned extends PageClaim<Endpoints> {
  readonly tone: VerdictClause["tone"];
}

const sum = (all: Endpoints, count: (one: WebhookEndpointView) => number): number =>
  all.reduce((total, one) => total + count(one), 0);
const waitingAt = (all: Endpoints): number => sum(all, ({ waiting }) => waiting);
const deadAt = (all: Endpoints): number => sum(all, ({ dead }) => dead);
const off = (all: Endpoints): number => all.filter(({ disabled }) => disabled !== undefined).length;
const down = (all: Endpoints): number => all.filter(isDown).length;
const inTrouble = (all: Endpoints): boolean => all.some(({ lastError }) => lastError !== undefined);
const waits = (of: WaitingCount): string => `${waitingMessages(of)} ${of.waiting === 1 ? "waits" : "wait"}`;
const waitAtAll = (all: Endpoints): string => waits({ waiting: waitingAt(all), sampled: all.some(isAtLeast) });

/** A disabled one is sent nothing, so nothing is known of it. */
export function isDown({ down: since, disabled }: Pick<WebhookEndpointView, "down" | "disabled">): boolean {
  return since !== undefined && disabled === undefined;
}

/** What the page of merchants' endpoints opens with. */
const ENDPOINTS_CLAIMS: readonly Toned[] = [
  { name: "none", tone: "fine", holds: (all) => all.length === 0, words: () => "No webhook endpoint." },
  {
    name: "some",
    tone: "fine",
    holds: (all) => all.length > 0,
    words: (all) => `${plural(all.length, "webhook endpoint")}.`,
  },
  { name: "disabled", tone: "doubt", holds: (all) => off(all) > 0, words: (all) => `${String(off(all))} disabled.` },
  { name: "down", tone: "doubt", holds: (all) => down(all) > 0, words: (all) => `${String(down(all))} down.` },
  {
    name: "nothing waits",
    tone: "fine",
    holds: (all) => all.length > 0 && waitingAt(all) === 0,
    words: () => "Nothing waits.",
  },
  {
    name: "waits",
    tone: "fine",
    holds: (all) => waitingAt(all) > 0 && !inTrouble(all),
    words: (all) => `${waitAtAll(all)}.`,
  },
  {
    name: "waits after an error",
    tone: "doubt",
    holds: (all) => waitingAt(all) > 0 && inTrouble(all),
    words: (all) => `${waitAtAll(all)}.`,
  },
  {
    name: "dead",
    tone: "broken",
    holds: (all) => deadAt(all) > 0,
    words: (all) => `${formatCount(deadAt(all))} dead.`,
  },
];

export function endpointsVerdict(all: Endpoints): readonly VerdictClause[] {
  return holding(ENDPOINTS_CLAIMS, all).map(({ tone, words }) => ({ tone, text: words(all) }));
}

/** One endpoint, and when it was read. */
interface EndpointAt {
  readonly one: WebhookEndpointView;
  readonly at: string;
}
const until = (moment: string, at: string): string => formatAge(Date.parse(moment) - Date.parse(at));
const isTested = ({ one }: EndpointAt): boolean => one.down?.testing === true;
const isDue = ({ one, at }: EndpointAt): boolean => (one.down?.nextTryAt ?? at) <= at;

/** What is said of one that is down, behind since when it is. */
const DOWN_CLAIMS: readonly PageClaim<EndpointAt>[] = [
  {
    name: "failures",
    holds: () => true,
    words: ({ one: { down: { failures, error } = NOT_DOWN } }) =>
      `${plural(failures, "delivery", "deliveries")} in a row failed${error === undefined ? "" : `, the last: ${error}`}.`,
  },
  {
    name: "waits",
    holds: ({ one: { waiting } }) => waiting > 0,
    words: ({ one }) => `${waits({ waiting: one.waiting })} and ${one.waiting === 1 ? "spends" : "spend"} no attempt.`,
  },
  { name: "tested", holds: isTested, words: () => "One is sent as a test now." },
  {
    name: "test due",
    holds: (facts) => !isTested(facts) && isDue(facts),
    words: () => "The next one is sent as a test.",
  },
  {
    name: "test later",
    holds: (facts) => !isTested(facts) && !isDue(facts),
    words: ({ one, at }) => `The next one is sent as a test in ${until(one.down?.nextTryAt ?? at, at)}.`,
  },
];
const NOT_DOWN = { failures: 0, error: undefined };

/** @returns behind "Down since 22 Nov, 12:00: " */
export function downWords(one: WebhookEndpointView, at: string): string {
  return claimWords(DOWN_CLAIMS, { one, at }).join(" ");
}

/** Of secrets that overlap, the newest first: how many end, and until when one of these is valid. */
const older = ({ one }: EndpointAt): number => one.secrets.length - 1;
const lastEnd = ({ one, at }: EndpointAt): string => until(one.secrets[1]?.expiresAt ?? at, at);
const SECRETS_CLAIMS: readonly PageClaim<EndpointAt>[] = [
  {
    name: "two overlap",
    holds: (facts) => older(facts) === 1,
    words: (facts) => `2 secrets are valid; the older ends in ${lastEnd(facts)}.`,
  },
  {
    name: "more overlap",
    holds: (facts) => older(facts) > 1,
    words: (facts) =>
      `${String(older(facts) + 1)} secrets are valid; the older ${String(older(facts))} end within ${lastEnd(facts)}.`,
  },
];

/** @returns undefined while there is one */
export function secretsWords(one: WebhookEndpointView, at: string): string | undefined {
  return claimWords(SECRETS_CLAIMS, { one, at })[0];
}
