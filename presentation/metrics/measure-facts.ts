import type { MeasureChart, MeasureList, MeasureName } from "../views/metrics";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { METRIC_GROUPS } from "@/domain/lists/filters";

type Facts = Pick<MeasureChart, "section" | "title" | "note" | "unit" | "threshold"> & { readonly list: MeasureList };

/** The values of docs/alerts.yml, so that a line on a chart and an alert say the same. */
const IN_PROGRESS_LIMIT_MS = 120_000;
const QUEUE_LIMIT_MS = 60_000;

const list = (label: string, path: string, search: MeasureList["search"] = {}): MeasureList => ({
  label,
  path,
  search,
  windowed: true,
  groups: path === "/operations" || path === "/conflicts" ? METRIC_GROUPS : [],
});
/** A list that knows no window of time is opened as it is. */
const listNow = (...of: Parameters<typeof list>): MeasureList => ({ ...list(...of), windowed: false });

const OPERATIONS = list("operations created in this time", "/operations");
/** By when they were answered so: a replay may come long after its operation was created. */
const answered = (what: string, outcome: AnswerOutcome, more: MeasureList["search"] = {}): MeasureList =>
  list(`${what} in this time`, "/operations", { ...more, answered: outcome });
const EXECUTED = answered("operations first answered", "executed");
const REPLAYED = answered("operations replayed", "replayed");
const IN_FLIGHT = answered("operations retried in flight", "in_progress");
const EXPIRED = answered("operations retried after expiry", "expired_retry");
/** Settled or not; `answered` would lack those that recovery found without a caller, and have each retry of the others. */
const UNKNOWN = list("operations that became unknown in this time", "/operations", { became: "unknown" });
const CONFLICTS = list("conflicts of this time", "/conflicts");
const IN_DOUBT = listNow("what is in doubt now", "/attention");
// What waited then and went out since; what waits still is on the overview.
const PUBLISHED = list("messages published in this time", "/outbox", { state: "published" });
const RECEIVED = list("messages received in this time", "/inbox");
const DEAD = list("died in this time, still open", "/dead-letters");

const measures =
  (section: Facts["section"], unit: Facts["unit"]) =>
  (title: string, note: string, list: MeasureList): Facts => ({ section, title, note, unit, list });
const answers = measures("answers", "count");
const shares = measures("answers", "share");
const times = measures("times", "ms");
const waiting = measures("waiting", "count");
const ages = measures("waiting", "ms");
const alert = (value: number, label: string): Pick<Facts, "threshold"> => ({
  threshold: { value, label: `alert: ${label}` },
});

/** The replays that a sum of charges is made of: no filter of a list has several operations. @param charges names of operations that charge */
export function chargesReplayed(charges: readonly string[]): MeasureList {
  const [operation, ...others] = charges;
  if (operation === undefined || others.length > 0) return REPLAYED;
  return answered("charges replayed", "replayed", { operation });
}

export const MEASURE_FACTS: Readonly<Record<MeasureName, Facts>> = {
  executed: answers("Created", "First answers of keys: a success, or a refusal for good.", EXECUTED),
  replayed: answers("Replayed", "An earlier command answered again.", REPLAYED),
  in_progress: answers("Answered while in flight", "409 or 202: the key was in progress.", IN_FLIGHT),
  conflict: answers("Conflicts", "The key had another command or another client.", CONFLICTS),
  expired_retry: answers("Expired retries", "The key had expired.", EXPIRED),
  unknown: answers("New unknown", "Operations whose outcome became unknown.", UNKNOWN),
  replay_ratio: shares("Replay ratio", "Replays of all replays and first answers.", REPLAYED),
  conflict_rate: shares("Conflict rate", "Conflicts of all answers.", CONFLICTS),
  latency: times(
    "First answer and replay, p95",
    "A bucket shows the highest p95 of one client and operation in a minute or hour of it.",
    OPERATIONS,
  ),
  first_answer: times("First answer, p95", "From the request to its answer.", EXECUTED),
  replay_latency: times("Replay, p95", "From the request to the replay.", REPLAYED),
  retry_delay: times("Retry delay, mean", "From one request of a key to the next.", OPERATIONS),
  reuse_distance: times(
    "Key reuse distance, mean",
    "From the first request of a key to a later one.",
    listNow("report cards of clients", "/clients"),
  ),
  oldest_in_progress: {
    ...ages("Oldest in progress", "Age of the oldest operation in progress, its lease held or run out.", IN_DOUBT),
    ...alert(IN_PROGRESS_LIMIT_MS, "beyond its lease"),
  },
  open: waiting("Keys without a terminal state", "In progress or unknown, sampled each minute.", IN_DOUBT),
  oldest_outbox: {
    ...ages("Outbox lag", "Age of the oldest message that waits for the relay.", PUBLISHED),
    ...alert(QUEUE_LIMIT_MS, "deliveries late"),
  },
  oldest_inbox: {
    ...ages("Inbox lag", "Age of the oldest message that waits for a consumer.", RECEIVED),
    ...alert(QUEUE_LIMIT_MS, "handling late"),
  },
  dead_letters: waiting("Dead letters", "Open, sampled each minute.", DEAD),
  suppressed: {
    ...answers("Duplicate charges prevented", "What replays of charges would have cost, had each run again.", REPLAYED),
    unit: "money",
  },
};
