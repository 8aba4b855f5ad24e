import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "@/tests/support/command-line";
import { measureCanonical } from "./canonical";
import { makeCases, type Case } from "./cases";
import { settleDatabase } from "./database";
import { benchCost, COST_CASE } from "./cost/run";
import { load, type Measured } from "./load";
import { benchGrowth, GROWTH_CASE } from "./messages/growth";
import { benchMessages, MESSAGES_CASE } from "./messages/run";
import { BENCH_USAGE, readBenchOptions, type BenchOptions } from "./options";
import { benchPages, PAGES_CASE } from "./pages/run";
import { benchPeers, PEERS_CASE } from "./peers/run";
import { benchRetention, RETENTION_CASE } from "./retention/run";
import { openBenchEnvironment, type BenchHost, type BenchEnvironment } from "./environment";
import { findPgbench, measureRaw } from "./raw";
import { measureOnce } from "./once";
import { failedBars } from "./bars";
import {
  BARE_TARGET,
  HTTP_TARGET,
  machineClass,
  PLAIN_TARGET,
  RAW_TARGET,
  reportRows,
  reportTable,
  type Report,
  type ReportSeries,
} from "./report";

const WARM_UP_MS = 2_000;
const PAGE_READS_COUNTED = 30;
const QUICK_READS = 5;
/** Cases with places of their own. */
const OWN_RUNS: readonly string[] = [COST_CASE, MESSAGES_CASE, PAGES_CASE, PEERS_CASE, RETENTION_CASE];
/** As many as a host has to the database. */
const RAW_CONNECTIONS = 32;
const HOST_LABELS: Readonly<Record<BenchHost["name"], string>> = {
  hono: HTTP_TARGET,
  next: "API (Next host)",
  plain: PLAIN_TARGET,
  once: "once()",
  bare: BARE_TARGET,
};

interface Target {
  readonly label: string;
  measure(durationMs: number): Promise<Measured>;
}

/**
 * `npm run bench [-- --quick]`: what the API does a second, beside the same statements in raw SQL and the same routes
 * without idempotency, and `once()` in a service's own process. Targets take turns within each round, so that a busy machine is busy for all of them.
 */
const options = readCommandLine(BENCH_USAGE, () => readBenchOptions(process.argv.slice(2)));
const path = options.json ?? join(tmpdir(), `onceboard-bench-${String(Date.now())}.json`);
const [texts, figures] = await run(options);
await writeFile(path, `${JSON.stringify(figures, undefined, 2)}\n`);
process.stdout.write(`${texts.join("\n\n")}\n\nFigures: ${path}\n`);

async function run(options: BenchOptions): Promise<[string[], Record<string, unknown>]> {
  const texts: string[] = [];
  const figures: Record<string, unknown> = {};
  const add = async (name: string, part: Promise<{ text: string; figures: unknown }>): Promise<void> => {
    const done = await part;
    texts.push(done.text);
    figures[name] = done.figures;
  };
  if (options.growth) {
    await add(GROWTH_CASE, benchGrowth(options));
    return [texts, figures];
  }
  const { only, quick } = options;
  if (only.length === 0 || only.some((name) => !OWN_RUNS.includes(name))) {
    const place = await openBenchEnvironment(options.port, options.hosts);
    try {
      const report = await measureAll(place, options);
      texts.push(reportTable(report));
      Object.assign(figures, report);
      if (options.check) checkBars(report, texts);
    } finally {
      await place.close();
    }
  }
  if (only.includes(COST_CASE)) await add(COST_CASE, benchCost(options));
  // Not part of the 30 seconds of a quick run.
  if (only.includes(MESSAGES_CASE) || (only.length === 0 && !quick)) await add(MESSAGES_CASE, benchMessages(options));
  // Seeds a month of traffic first: only when it is asked for.
  if (only.includes(PAGES_CASE)) {
    await add(PAGES_CASE, benchPages({ ...options, reads: quick ? QUICK_READS : PAGE_READS_COUNTED }));
  }
  if (only.includes(RETENTION_CASE)) await add(RETENTION_CASE, benchRetention(options));
  // Installs what they are made of first: only when it is asked for.
  if (only.includes(PEERS_CASE)) await add(PEERS_CASE, benchPeers(options));
  return [texts, figures];
}

function checkBars({ rows }: Report, texts: string[]): void {
  const failed = failedBars(rows);
  texts.push(failed.length === 0 ? "No figure is more than 20 % worse than its bar." : failed.join("\n"));
  if (failed.length > 0) process.exitCode = 1;
}

async function measureAll(place: BenchEnvironment, options: BenchOptions): Promise<Report> {
  const pgbench = options.rawLoop ? undefined : findPgbench();
  const all = await makeCases(place);
  const { hosts, remarks } = await usableHosts(place, all);
  const cases = all.filter((one) => options.only.length === 0 || options.only.includes(one.name));
  const series: ReportSeries[] = [];
  for (const one of cases) {
    const targets = targetsOf(place, hosts, options, one, pgbench);
    const own = targets.map((target): ReportSeries => ({ case: one.name, target: target.label, rounds: [] }));
    await firstUse(hosts, options, one);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [index, target] of targets.entries()) {
        await settleDatabase(place.url);
        own[index]?.rounds.push(await target.measure(options.durationMs));
      }
    }
    series.push(...own);
    const rates = reportRows(own).map((row) => `${row.target} ${Math.round(row.median)}/s`);
    process.stderr.write(`${one.name}: ${rates.join(", ")}\n`);
  }
  return {
    machine: machineClass(),
    database: place.version,
    raw: pgbench === undefined ? "a loop over Node's driver" : "pgbench, prepared statements, one thread",
    rows: reportRows(series),
    canonicalMegabytesPerSecond: measureCanonical(options.quick ? 300 : 1_000),
    remarks,
  };
}

/** A Next build of other sources does not fit this database: it is left out with a remark; everything else is an error. */
async function usableHosts(
  place: BenchEnvironment,
  cases: readonly Case[],
): Promise<{ hosts: BenchHost[]; remarks: string[] }> {
  const hosts: BenchHost[] = [];
  const remarks = [...place.remarks];
  const probe = cases.find((one) => one.name === "provider create");
  for (const host of place.hosts) {
    try {
      if (probe && runsCase(host, probe)) await loadCase(host, probe, 1, 1);
      hosts.push(host);
    } catch (error) {
      if (host.name !== "next") throw error;
      remarks.push("Next host: not measured, the build does not answer as this source does (npm run build).");
    }
  }
  return { hosts, remarks };
}

function targetsOf(
  place: BenchEnvironment,
  all: readonly BenchHost[],
  options: BenchOptions,
  one: Case,
  pgbench: string | undefined,
): Target[] {
  const { connections } = options;
  const raw: Target = {
    label: RAW_TARGET,
    measure: (durationMs) =>
      measureRaw({ url: place.url, ...one.raw, connections: RAW_CONNECTIONS, durationMs }, pgbench),
  };
  const hosts = all
    .filter((host) => runsCase(host, one))
    .map((host): Target => ({
      label: HOST_LABELS[host.name],
      measure: (durationMs) => loadCase(host, one, connections, durationMs),
    }));
  return [raw, ...hosts];
}

/** Keys that are replayed must exist, prepared statements too, and code must be compiled. */
async function firstUse(hosts: readonly BenchHost[], options: BenchOptions, one: Case): Promise<void> {
  for (const host of hosts) {
    if (!runsCase(host, one)) continue;
    const durationMs = options.quick ? options.durationMs : WARM_UP_MS;
    await loadCase(host, one, options.connections, durationMs);
  }
}

function runsCase({ name }: BenchHost, one: Case): boolean {
  return (name !== "plain" || one.plain) && (name !== "once" || one.once) && (name !== "bare" || one.bare);
}

function loadCase(host: BenchHost, one: Case, connections: number, durationMs: number): Promise<Measured> {
  const { name, port, pid } = host;
  if (name === "once") return measureOnce(port, connections, durationMs);
  return load({ port, pid, connections, durationMs, expectedStatus: one.expectedStatus, next: () => one.next() });
}
