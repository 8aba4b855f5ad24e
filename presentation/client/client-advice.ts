import { formatCount, formatDuration } from "../format/display-time";
import { isCareless, isHasty, RANGE_WORDS } from "./client-verdict";
import type { Advice, ClientRange, ClientReport } from "../views/clients";
import { plural } from "../format/words";

/** In-flight answers are mentioned from this share of the repeated requests. */
const IN_FLIGHT_SHARE = 0.25;
const IN_FLIGHT_MIN = 5;

/** What a client should do about what it does wrong, in the words of the retry contract. */
export function adviceFor(report: ClientReport): readonly Advice[] {
  const advice: Advice[] = [];
  const add = (name: Advice["name"], wrong: boolean, what: string, todo: string) => {
    if (wrong) advice.push({ name, what, todo });
  };
  add(
    "conflict",
    report.conflicts > 0,
    `${plural(report.conflicts, "request")} used a key that stands for another command.`,
    "Make one key per business action (a UUIDv7), store it while the action is pending, and resend it with the same body on every retry. Another amount is another action and needs a new key; a cart or session id is no key.",
  );
  add(
    "no_key",
    report.noKey > 0,
    `${plural(report.noKey, "request")} came without an Idempotency-Key.`,
    "Send the header with every POST. Make the key before the first try, not per attempt.",
  );
  add(
    "bad_key",
    report.badKey > 0,
    `${plural(report.badKey, "request")} came with a key that cannot be read.`,
    "Send the header once: 1 to 255 visible ASCII characters, bare or in double quotes, no comma, no parameters.",
  );
  add(
    "late",
    report.afterWindow > 0,
    `${plural(report.afterWindow, "request")} came after the key's window.`,
    "Stop when the window is over: ask for the operation's status before a new key is made, because the first request may have acted.",
  );
  add(
    "fast",
    isHasty(report),
    `${plural(report.fast, "retry", "retries")} came less than 100 ms after the request before.`,
    "Wait before a retry: 100 ms, doubled each time up to 2 s, with full jitter, 10 s in all. Honour Retry-After. Retry only 429, 5xx and lost answers.",
  );
  add(
    "in_flight",
    report.inFlight >= IN_FLIGHT_MIN && report.inFlight >= report.again * IN_FLIGHT_SHARE,
    `${plural(report.inFlight, "request")} came while the first one was still at work.`,
    "A 409 in progress is no failure: wait as long as Retry-After says and send the same key again. Two sends of one button are one action: disable it, or share its key.",
  );
  add(
    "invalid",
    isCareless(report),
    `${plural(report.invalid, "request")} of ${formatCount(report.requests)} were no command.`,
    "A 4xx other than 408 and 429 will not pass on a retry: stop, mend the request, use a new key.",
  );
  add(
    "limited",
    report.limited > 0,
    `${plural(report.limited, "request")} came over the rate limit.`,
    "Wait as long as Retry-After says; a replay is not charged, a new request is.",
  );
  return advice;
}

/** Text to send to a client: counts and rules. No key, no id, no value of a body. */
export function reportMessage(
  report: ClientReport,
  advice: readonly Advice[],
  frame: { readonly range: ClientRange; readonly at: string; readonly tenant: string },
): string {
  const { reuse } = report;
  const lines = [
    `How ${report.client} used idempotency keys at ${frame.tenant}, ${RANGE_WORDS[frame.range]} up to ${frame.at.slice(0, 16).replace("T", " ")} UTC.`,
    "",
    `Requests: ${formatCount(report.requests)}. Executed ${formatCount(report.executed)}, replayed ${formatCount(report.replayed)}, conflicts ${formatCount(report.conflicts)}, in flight ${formatCount(report.inFlight)}, expired retries ${formatCount(report.expired)}.`,
    `Refused at the door: no key ${formatCount(report.noKey)}, unusable key ${formatCount(report.badKey)}, no command ${formatCount(report.invalid)}.`,
    ...(reuse === undefined
      ? []
      : [
          `A key came again about ${formatDuration(reuse.medianMs)} after its first request (95 of 100 within about ${formatDuration(reuse.p95Ms)}, the latest after ${formatDuration(reuse.maxMs)}).`,
        ]),
    "",
    ...(advice.length === 0
      ? ["Nothing to change."]
      : ["What to change:", ...advice.map(({ what, todo }, index) => `${String(index + 1)}. ${what} ${todo}`)]),
    "",
    "No conflict moved money: each was refused before anything ran.",
  ];
  return (report.conflicts > 0 ? lines : lines.slice(0, -2)).join("\n");
}
