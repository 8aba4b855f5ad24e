import { availableParallelism, totalmem } from "node:os";
import { markdownTable, wholeFigure } from "../shared/markdown";
import type { Measured } from "./load";

/** What one case gave on one target, over all rounds. */
export interface ReportSeries {
  readonly case: string;
  readonly target: string;
  readonly rounds: Measured[];
}

export interface Report {
  readonly machine: string;
  readonly database: string;
  readonly raw: string;
  readonly rows: ReturnType<typeof reportRows>;
  readonly canonicalMegabytesPerSecond: number;
  readonly remarks: readonly string[];
}

export const RAW_TARGET = "raw SQL";
export const PLAIN_TARGET = "plain";
export const BARE_TARGET = "bare handler";
/** The route that a caller of the API meets. */
export const HTTP_TARGET = "API (Hono host)";

/** Rates per second, times in ms; `ofRaw`, `ofPlain` and `ofHttp` are shares of the rates of the same case, `ofBareCpu` a multiple of a processor time. */
export function reportRows(series: readonly ReportSeries[]) {
  const rateOf = (name: string, target: string): number | undefined => {
    const found = series.find((one) => one.case === name && one.target === target);
    return found === undefined ? undefined : median(found.rounds.map((round) => round.perSecond));
  };
  return series.map((one) => {
    const rates = one.rounds.map((round) => round.perSecond);
    const middle = median(rates);
    const raw = rateOf(one.case, RAW_TARGET);
    const plain = rateOf(one.case, PLAIN_TARGET);
    const http = rateOf(one.case, HTTP_TARGET);
    const bare = series.find(({ case: name, target }) => name === one.case && target === BARE_TARGET);
    const [cpu, bareCpu] = [cpuOf(one.rounds), bare && cpuOf(bare.rounds)];
    return {
      case: one.case,
      target: one.target,
      median: middle,
      min: Math.min(...rates),
      max: Math.max(...rates),
      p50: median(one.rounds.map((round) => round.p50)),
      p99: median(one.rounds.map((round) => round.p99)),
      cpuMicroseconds: cpu,
      ofBareCpu: cpu === undefined || bareCpu === undefined ? undefined : cpu / bareCpu,
      ofRaw: raw === undefined ? undefined : middle / raw,
      ofPlain: plain === undefined ? undefined : middle / plain,
      ofHttp: http === undefined ? undefined : middle / http,
    };
  });
}

function cpuOf(rounds: readonly Measured[]): number | undefined {
  const known = rounds.flatMap((round) => round.cpuMicroseconds ?? []);
  return known.length === 0 ? undefined : median(known);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[half - 1] ?? 0, sorted[half] ?? 0];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/** The class of a machine, never its name. */
export function machineClass(): string {
  return `${String(availableParallelism())} cores, ${String(Math.round(totalmem() / 2 ** 30))} GB, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

export function reportTable(report: Report): string {
  const head = [
    "case",
    "target",
    "per second",
    "min–max",
    "p50 ms",
    "p99 ms",
    "host CPU µs",
    "of bare",
    "of raw",
    "of plain",
    "of HTTP",
  ];
  const body = report.rows.map((row) => [
    row.case,
    row.target,
    wholeFigure(row.median),
    `${wholeFigure(row.min)}–${wholeFigure(row.max)}`,
    row.p50.toFixed(1),
    Number.isNaN(row.p99) ? "" : row.p99.toFixed(1),
    row.cpuMicroseconds === undefined ? "" : wholeFigure(row.cpuMicroseconds),
    ...[row.ofBareCpu, row.ofRaw, row.ofPlain, row.ofHttp].map((share) => share?.toFixed(2) ?? ""),
  ]);
  return [
    `Machine: ${report.machine}; the load generator shares the cores.`,
    `PostgreSQL ${report.database}, synchronous commits. Raw SQL by ${report.raw}.`,
    "",
    markdownTable(head, body),
    "",
    `Canonical form: ${report.canonicalMegabytesPerSecond.toFixed(0)} MB/s on one thread.`,
    ...report.remarks,
  ].join("\n");
}
