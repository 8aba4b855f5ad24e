import type { MeasureChart, MeasureList, MeasureName } from "./views/metrics";

type Facts = Pick<MeasureChart, "section" | "title" | "note" | "unit" | "threshold">;

/** The values of docs/alerts.yml, so that a line on a chart and an alert say the same. */
export const IN_PROGRESS_LIMIT_MS = 120_000;
export const QUEUE_LIMIT_MS = 60_000;

/** What each chart is called and says (C.8). */
export const MEASURE_FACTS: Readonly<Record<MeasureName, Facts>> = {
  executed: {
    section: "answers",
    title: "Created",
    note: "First answers of operations that succeeded.",
    unit: "count",
  },
  replayed: { section: "answers", title: "Replayed", note: "The kept answer given again.", unit: "count" },
  in_progress: {
    section: "answers",
    title: "Answered while in flight",
    note: "409 or 202: an owner was still at work.",
    unit: "count",
  },
  conflict: { section: "answers", title: "Conflicts", note: "The key had another command.", unit: "count" },
  expired_retry: {
    section: "answers",
    title: "Expired retries",
    note: "The window of the key was over.",
    unit: "count",
  },
  unknown: {
    section: "answers",
    title: "New unknown",
    note: "Operations whose outcome nobody knew any more.",
    unit: "count",
  },
  replay_ratio: {
    section: "answers",
    title: "Replay ratio",
    note: "Replays of all replays and first answers.",
    unit: "share",
  },
  conflict_rate: { section: "answers", title: "Conflict rate", note: "Conflicts of all answers.", unit: "share" },
  latency: {
    section: "times",
    title: "First answer and replay, p95",
    note: "A bucket shows its slowest minute's or hour's p95.",
    unit: "ms",
  },
  first_answer: { section: "times", title: "First answer, p95", note: "From the request to its answer.", unit: "ms" },
  replay_latency: { section: "times", title: "Replay, p95", note: "From the request to the kept answer.", unit: "ms" },
  retry_delay: {
    section: "times",
    title: "Retry delay, mean",
    note: "From one request of a key to the next.",
    unit: "ms",
  },
  reuse_distance: {
    section: "times",
    title: "Key reuse distance, mean",
    note: "From the first request of a key to a later one.",
    unit: "ms",
  },
  oldest_in_progress: {
    section: "waiting",
    title: "Oldest in progress",
    note: "Age of the oldest operation that an owner works on.",
    unit: "ms",
    threshold: { value: IN_PROGRESS_LIMIT_MS, label: "alert: beyond its lease" },
  },
  open: {
    section: "waiting",
    title: "Keys without a terminal state",
    note: "In progress or unknown, sampled each minute.",
    unit: "count",
  },
  oldest_outbox: {
    section: "waiting",
    title: "Outbox lag",
    note: "Age of the oldest message that is not published.",
    unit: "ms",
    threshold: { value: QUEUE_LIMIT_MS, label: "alert: deliveries late" },
  },
  oldest_inbox: {
    section: "waiting",
    title: "Inbox lag",
    note: "Age of the oldest message that is not handled.",
    unit: "ms",
    threshold: { value: QUEUE_LIMIT_MS, label: "alert: handling late" },
  },
  dead_letters: {
    section: "waiting",
    title: "Dead letters",
    note: "Open, sampled each minute.",
    unit: "count",
  },
  suppressed: {
    section: "answers",
    title: "Charges not made twice",
    note: "What replays of payments would have cost, had each run again.",
    unit: "money",
  },
};

const OPERATIONS: MeasureList = { label: "operations", path: "/operations", search: {}, windowed: true };
const IN_DOUBT: MeasureList = { label: "what is in doubt", path: "/attention", search: {}, windowed: false };
const CONFLICTS: MeasureList = { label: "conflicts", path: "/conflicts", search: {}, windowed: false };

/** The list behind a point. One that knows no window of time is opened as it is. */
export const MEASURE_LISTS: Readonly<Partial<Record<MeasureName, MeasureList>>> = {
  executed: OPERATIONS,
  replayed: OPERATIONS,
  in_progress: OPERATIONS,
  latency: OPERATIONS,
  first_answer: OPERATIONS,
  replay_latency: OPERATIONS,
  retry_delay: OPERATIONS,
  replay_ratio: OPERATIONS,
  suppressed: { ...OPERATIONS, label: "payments", search: { operation: "payments.create" } },
  conflict: CONFLICTS,
  conflict_rate: CONFLICTS,
  expired_retry: { ...OPERATIONS, label: "expired operations", search: { state: "EXPIRED" } },
  unknown: { ...OPERATIONS, label: "unknown operations", search: { state: "UNKNOWN_REQUIRES_RECOVERY" } },
  reuse_distance: { label: "clients", path: "/clients", search: {}, windowed: false },
  oldest_in_progress: IN_DOUBT,
  open: IN_DOUBT,
  // What waited then and went out since; what waits still is on the overview.
  oldest_outbox: { label: "published messages", path: "/outbox", search: { state: "published" }, windowed: true },
  oldest_inbox: { label: "messages", path: "/inbox", search: {}, windowed: true },
  dead_letters: { label: "dead letters", path: "/dead-letters", search: {}, windowed: true },
};
