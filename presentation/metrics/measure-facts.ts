import type { MeasureChart, MeasureList, MeasureName } from "../views/metrics";
import { METRIC_GROUPS } from "@/domain/lists/filters";

type Facts = Pick<MeasureChart, "section" | "title" | "note" | "unit" | "threshold">;

/** The values of docs/alerts.yml, so that a line on a chart and an alert say the same. */
export const IN_PROGRESS_LIMIT_MS = 120_000;
export const QUEUE_LIMIT_MS = 60_000;

/** What each chart is called and says. */
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

const OPERATIONS: MeasureList = {
  label: "operations created in this time",
  path: "/operations",
  search: {},
  windowed: true,
  groups: METRIC_GROUPS,
};
const COMPLETED: MeasureList = {
  ...OPERATIONS,
  label: "completed operations created in this time",
  search: { state: "COMPLETED" },
};
const CONFLICTS: MeasureList = { ...OPERATIONS, label: "conflicts of this time", path: "/conflicts" };
const NOW: Omit<MeasureList, "label" | "path"> = { search: {}, windowed: false, groups: [] };
const IN_DOUBT: MeasureList = { ...NOW, label: "what is in doubt now", path: "/attention" };
const MESSAGES: Omit<MeasureList, "label" | "path"> = { search: {}, windowed: true, groups: [] };

/**
 * The list behind a point, and what it holds: operations are listed by when they were created, which for a replay may be long
 * before. One that knows no window of time is opened as it is.
 */
export const MEASURE_LISTS: Readonly<Record<MeasureName, MeasureList>> = {
  executed: COMPLETED,
  first_answer: COMPLETED,
  replayed: OPERATIONS,
  in_progress: OPERATIONS,
  latency: OPERATIONS,
  replay_latency: OPERATIONS,
  retry_delay: OPERATIONS,
  replay_ratio: OPERATIONS,
  suppressed: {
    ...OPERATIONS,
    label: "payments created in this time",
    search: { operation: "payments.create" },
  },
  conflict: CONFLICTS,
  conflict_rate: CONFLICTS,
  // A retry is too late when the operation is old: the time of the retry is none of the list's.
  expired_retry: {
    ...OPERATIONS,
    label: "expired operations of all time",
    search: { state: "EXPIRED", range: "all" },
    windowed: false,
  },
  unknown: {
    ...OPERATIONS,
    label: "still unknown, created in this time",
    search: { state: "UNKNOWN_REQUIRES_RECOVERY" },
  },
  reuse_distance: { ...NOW, label: "report cards of clients", path: "/clients" },
  oldest_in_progress: IN_DOUBT,
  open: IN_DOUBT,
  // What waited then and went out since; what waits still is on the overview.
  oldest_outbox: {
    ...MESSAGES,
    label: "messages published in this time",
    path: "/outbox",
    search: { state: "published" },
  },
  oldest_inbox: { ...MESSAGES, label: "messages received in this time", path: "/inbox" },
  dead_letters: { ...MESSAGES, label: "died in this time, still open", path: "/dead-letters" },
};
