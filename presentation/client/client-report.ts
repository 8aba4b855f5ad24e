import { clientVerdict } from "./client-verdict";
import type { ClientRange, ClientReport } from "../views/clients";
import type { MeasureSum, RefusalSum } from "@/domain/metrics/client-sums";
import type { ClientSeries } from "@/presentation/views/clients";

/** Hours that each range covers, the running hour included, and how wide a bar of its charts is. */
export const CLIENT_WINDOWS: Readonly<Record<ClientRange, { readonly hours: number; readonly bucketHours: number }>> = {
  "24h": { hours: 24, bucketHours: 1 },
  "7d": { hours: 168, bucketHours: 2 },
  "30d": { hours: 720, bucketHours: 12 },
};
const HOUR_MS = 3_600_000;

/** @param at RFC 3339 @returns the first hour of a range whose last one runs at that moment */
export function rangeStart(at: string, range: ClientRange): string {
  const end = Math.ceil(Date.parse(at) / HOUR_MS) * HOUR_MS;
  return new Date(end - CLIENT_WINDOWS[range].hours * HOUR_MS).toISOString();
}

export interface ReportInput {
  readonly client: string;
  readonly registered: boolean;
  readonly range: ClientRange;
  readonly measures: readonly MeasureSum[];
  readonly refusals: readonly RefusalSum[];
}

export function buildReport({ client, registered, range, measures, refusals }: ReportInput): ClientReport {
  const own = measures.filter((row) => row.client === client);
  const count = (measure: string): number => own.find((row) => row.measure === measure)?.count ?? 0;
  const refused = (matches: (code: string) => boolean): number =>
    refusals.filter((row) => row.client === client && matches(row.code)).reduce((sum, row) => sum + row.count, 0);
  const answerCount = own.filter((row) => row.measure.startsWith("outcome:")).reduce((sum, row) => sum + row.count, 0);
  const replayed = count("outcome:replayed");
  const conflicts = count("outcome:conflict");
  const facts = {
    client,
    registered,
    requests: answerCount + refused(() => true),
    executed: count("outcome:executed"),
    replayed,
    conflicts,
    inFlight: count("outcome:in_progress"),
    expired: count("outcome:expired_retry"),
    replayRate: answerCount === 0 ? undefined : replayed / answerCount,
    conflictRate: answerCount === 0 ? undefined : conflicts / answerCount,
    noKey: refused((code) => code === "idempotency.key_missing"),
    badKey: refused((code) => code === "idempotency.key_invalid"),
    invalid: refused((code) => code.startsWith("validation.")),
    limited: refused((code) => code === "rate_limit.exceeded"),
    again: count("again"),
    reuse: reuseOf(own),
    afterWindow: count("after_window"),
    fast: count("fast"),
    // A key whose first conflict was before the range counts at least once.
    conflictKeys: conflicts === 0 ? 0 : Math.max(1, count("conflict_keys")),
    conflictKinds: {
      amount: count("conflict:amount"),
      foreign: count("conflict:foreign"),
      fields: count("conflict:fields"),
      unknown: count("conflict:unknown"),
    },
  };
  return { ...facts, verdict: clientVerdict(facts, range), weight: weightOf(facts) };
}

/** Weight of each fault in the order of the list: conflicts first, fast retries last. */
const WEIGHTS = { conflicts: 10, noKey: 5, badKey: 5, afterWindow: 5, limited: 1, fast: 1, invalid: 0.2 } as const;

function weightOf(facts: Readonly<Record<keyof typeof WEIGHTS, number>>): number {
  return Object.entries(WEIGHTS).reduce((sum, [name, weight]) => sum + facts[name as keyof typeof WEIGHTS] * weight, 0);
}

/** Worst first; among equals the busier one. */
export function byWorst(a: ClientReport, b: ClientReport): number {
  return b.weight - a.weight || b.requests - a.requests || (a.client < b.client ? -1 : 1);
}

function reuseOf(own: readonly MeasureSum[]): ClientReport["reuse"] {
  const powers = own
    .filter((row) => row.measure.startsWith("distance:"))
    .sort((a, b) => (a.measure < b.measure ? -1 : 1));
  const all = powers.reduce((sum, row) => sum + row.count, 0);
  if (all === 0) return undefined;
  const maxMs = own.find((row) => row.measure === "distance_max")?.top ?? 0;
  return { medianMs: quantile(powers, all, 0.5), p95Ms: quantile(powers, all, 0.95), maxMs };
}

/** The mean of the power of two that the quantile falls into: right to a factor of two, and mostly much closer. */
function quantile(powers: readonly MeasureSum[], all: number, share: number): number {
  const wanted = Math.max(1, Math.ceil(all * share));
  let seen = 0;
  for (const { count, sum } of powers) {
    seen += count;
    if (seen >= wanted) return sum / Math.max(1, count);
  }
  return 0;
}

type Slotted<Row> = Row & { readonly slot: number };

const MEASURES: readonly (readonly [name: ClientSeries["name"], measure: string])[] = [
  ["executed", "outcome:executed"],
  ["replayed", "outcome:replayed"],
  ["in_progress", "outcome:in_progress"],
  ["conflict", "outcome:conflict"],
  ["expired_retry", "outcome:expired_retry"],
  ["fast", "fast"],
];

const NO_KEY: ReadonlySet<string> = new Set(["idempotency.key_missing", "idempotency.key_invalid"]);

/** Lays the roll-ups of one client on one axis; a bar without requests is 0. @param size bars of the range */
export function clientSeries(
  slots: readonly Slotted<MeasureSum>[],
  refusals: readonly Slotted<RefusalSum>[],
  size: number,
): readonly ClientSeries[] {
  const sparkline = (name: ClientSeries["name"], rows: readonly { slot: number; count: number }[]): ClientSeries => {
    const values = new Array<number>(size).fill(0);
    for (const { slot, count } of rows) if (slot >= 0 && slot < size) values[slot] = (values[slot] ?? 0) + count;
    return { name, values, total: values.reduce((sum, value) => sum + value, 0) };
  };
  const answered = MEASURES.map(([name, measure]) => {
    const own = slots.filter((row) => row.measure === measure);
    return sparkline(name, own);
  });
  const keyless = refusals.filter(({ code }) => NO_KEY.has(code));
  return [...answered, sparkline("no_key", keyless)];
}

export function sumSlots(slots: readonly Slotted<MeasureSum>[]): readonly MeasureSum[] {
  const sums = new Map<string, MeasureSum>();
  for (const { client, measure, count, sum, top } of slots) {
    const known = sums.get(measure);
    sums.set(measure, {
      client,
      measure,
      count: (known?.count ?? 0) + count,
      sum: (known?.sum ?? 0) + sum,
      top: Math.max(known?.top ?? 0, top),
    });
  }
  return [...sums.values()];
}
