import { writtenTime } from "@/domain/written-time";
import { formatCount, formatDuration } from "../format/display-time";
import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { FAST_RETRY_MS, isCareless, isHasty, RANGE_WORDS } from "./client-verdict";
import type { Advice, ClientRange, ClientReport } from "../views/clients";
import { plural } from "../format/words";

/** In-flight answers are mentioned from this share of the repeated requests. */
const IN_FLIGHT_SHARE = 0.25;
const IN_FLIGHT_MIN = 5;

/** What a client does wrong, and what it should do instead. */
interface AdviceClaim extends PageClaim<ClientReport> {
  readonly name: Advice["name"];
  readonly todo: string;
}

/** In the words of the retry contract. */
export const CLIENT_ADVICE_CLAIMS: readonly AdviceClaim[] = [
  {
    name: "conflict",
    holds: ({ conflicts }) => conflicts > 0,
    words: ({ conflicts }) => `${plural(conflicts, "request")} used a key that stands for another request.`,
    todo: "Make one key per business action (a UUIDv7), store it while the action is pending, and resend it with the same body on every retry. Another amount is another action and needs a new key; a cart or session id is no key.",
  },
  {
    name: "no_key",
    holds: ({ noKey }) => noKey > 0,
    words: ({ noKey }) => `${plural(noKey, "request")} came without an Idempotency-Key.`,
    todo: "Send the header with every POST. Make the key before the first try, not per attempt.",
  },
  {
    name: "bad_key",
    holds: ({ badKey }) => badKey > 0,
    words: ({ badKey }) => `${plural(badKey, "request")} came with a key that cannot be read.`,
    todo: "Send the header once: 1 to 255 visible ASCII characters, bare or in double quotes, no comma, no parameters.",
  },
  {
    name: "late",
    holds: ({ afterWindow }) => afterWindow > 0,
    words: ({ afterWindow }) => `${plural(afterWindow, "request")} came after the key's window.`,
    todo: "Stop when the window is over: ask for the operation's status before a new key is made, because the first request may have acted.",
  },
  {
    name: "fast",
    holds: isHasty,
    words: ({ fast }) =>
      `${plural(fast, "retry", "retries")} came less than ${String(FAST_RETRY_MS)} ms after the request before.`,
    todo: "Wait before a retry: at random 100 to 200 ms, the most doubled each time up to 2 s, 10 s in all. Honour Retry-After. Retry only 429, 5xx and lost answers.",
  },
  {
    name: "in_flight",
    holds: ({ inFlight, again }) => inFlight >= IN_FLIGHT_MIN && inFlight >= again * IN_FLIGHT_SHARE,
    words: ({ inFlight }) => `${plural(inFlight, "request")} came while the first one was in progress.`,
    todo: "A 409 in progress is no failure: wait as long as Retry-After says and send the same key again. Two sends of one button are one action: disable it, or share its key.",
  },
  {
    name: "invalid",
    holds: isCareless,
    words: ({ invalid, requests }) => `${formatCount(invalid)} of ${plural(requests, "request")} were invalid.`,
    todo: "A 4xx other than 408 and 429 will not pass on a retry: stop, fix the request, use a new key.",
  },
  {
    name: "limited",
    holds: ({ limited }) => limited > 0,
    words: ({ limited }) => `${plural(limited, "request")} came over the rate limit.`,
    todo: "Wait as long as Retry-After says; a replay is not charged, a new request is.",
  },
];

/** What a client should do about what it does wrong. */
export function adviceFor(report: ClientReport): readonly Advice[] {
  return holding(CLIENT_ADVICE_CLAIMS, report).map(({ name, words, todo }) => ({
    name,
    what: words(report),
    todo,
  }));
}

/** What stands in the place of advice where there is none. */
const NO_ADVICE_CLAIMS: readonly PageClaim<Pick<ClientReport, "requests">>[] = [
  {
    name: "no request",
    holds: ({ requests }) => requests === 0,
    words: () => "None of its requests was counted in this time.",
  },
  { name: "nothing to change", holds: () => true, words: () => "Nothing: what was counted of it asks for no change." },
];

/** @param report of a client without advice */
export function noAdviceWords(report: Pick<ClientReport, "requests">): string {
  return firstWords(NO_ADVICE_CLAIMS, report);
}

interface MessageFrame {
  readonly range: ClientRange;
  readonly at: string;
  readonly tenant: string;
}
interface MessageFacts extends MessageFrame {
  readonly report: ClientReport;
}

/** Of whom and of which time the text is. */
const SUBJECT_CLAIMS: readonly PageClaim<MessageFacts>[] = [
  {
    name: "of a client and a time",
    holds: () => true,
    words: ({ report, tenant, range, at }) =>
      `How ${report.client} used idempotency keys at ${tenant}, ${RANGE_WORDS[range]} up to ${writtenTime(at)}.`,
  },
];

/** Its counts. */
const COUNT_CLAIMS: readonly PageClaim<ClientReport>[] = [
  {
    name: "answers",
    holds: () => true,
    words: (it) =>
      `Requests: ${formatCount(it.requests)}. Created ${formatCount(it.executed)}, replayed ${formatCount(it.replayed)}, conflicts ${formatCount(it.conflicts)}, in flight ${formatCount(it.inFlight)}, expired retries ${formatCount(it.expired)}.`,
  },
  {
    name: "refused at the door",
    holds: () => true,
    words: (it) =>
      `Refused at the door: no key ${formatCount(it.noKey)}, unusable key ${formatCount(it.badKey)}, invalid ${formatCount(it.invalid)}.`,
  },
  {
    name: "distance of reuse",
    holds: ({ reuse }) => reuse !== undefined,
    words: ({ reuse: { medianMs, p95Ms, maxMs } = { medianMs: 0, p95Ms: 0, maxMs: 0 } }) =>
      `A key came again about ${formatDuration(medianMs)} after its first request (p95 about ${formatDuration(p95Ms)}, the latest after ${formatDuration(maxMs)}).`,
  },
];

const LAST_CLAIMS: readonly PageClaim<ClientReport>[] = [
  {
    name: "no conflict moved money",
    holds: ({ conflicts }) => conflicts > 0,
    words: () => "No conflict moved money: each was refused before anything ran.",
  },
];

/** Of a client that no advice is given to: exactly one of these is said. */
const NOTHING_TO_CHANGE: readonly PageClaim<ClientReport>[] = [
  { name: "no request", holds: ({ requests }) => requests === 0, words: () => "No request to judge." },
  {
    name: "single cases",
    holds: ({ fast, inFlight, invalid }) => fast + inFlight + invalid > 0,
    words: () => "Nothing came often enough to ask for a change.",
  },
  { name: "nothing", holds: () => true, words: () => "Nothing to change." },
];

/** Text to send to a client: counts and rules. No key, no id, no value of a body. */
export function reportMessage(report: ClientReport, advice: readonly Advice[], frame: MessageFrame): string {
  const changes = advice.map(({ what, todo }, index) => `${String(index + 1)}. ${what} ${todo}`);
  const parts = [
    claimWords(SUBJECT_CLAIMS, { ...frame, report }),
    claimWords(COUNT_CLAIMS, report),
    changes.length === 0 ? [firstWords(NOTHING_TO_CHANGE, report)] : ["What to change:", ...changes],
    claimWords(LAST_CLAIMS, report),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
