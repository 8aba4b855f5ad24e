import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const BENCH_USAGE = `npm run bench [-- options]
  --quick            under 30 s, one round: shows that everything runs, its figures mean little
  --only a,b         cases, by their names in docs/BENCHMARKS.md; also cost, messages, pages, peers, retention
  --hosts a,b        of hono, plain, once, next, bare, or peers by their names
  --rounds N         (3; quick: 1)
  --seconds N        of one measurement (4; quick: 0.5)
  --connections N    callers at a time (32)
  --check            ends with 1 where a figure is more than 20 % worse than its bar
  --json FILE        where the figures go
  --port N           first of eight (5000)
  --raw-loop         raw SQL by a loop over Node's driver, though pgbench is installed
  --jobs N           of the case messages (20000)
  --growth           instead of everything else: relay and inbox beside many historic rows; takes minutes
  --history N        such rows (5000000)
  --operations N     of the large database of the case pages, and of that of the case retention (1000000)
  --small N          of the small one beside it (10000)
  --lean             both with small bodies
  --peer-source NAME=FOLDER   the source of a peer that the registry does not have`;

export type BenchOptions = ReturnType<typeof readBenchOptions>;

/** @throws Error in one sentence for an option that does not exist or is no number */
export function readBenchOptions(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string", default: "32" },
      only: { type: "string", default: "" },
      hosts: { type: "string", default: "" },
      check: { type: "boolean", default: false },
      "raw-loop": { type: "boolean", default: false },
      json: { type: "string" },
      port: { type: "string", default: "5000" },
      jobs: { type: "string" },
      growth: { type: "boolean", default: false },
      history: { type: "string", default: "5000000" },
      operations: { type: "string" },
      small: { type: "string", default: "10000" },
      lean: { type: "boolean", default: false },
      "peer-source": { type: "string", multiple: true, default: [] },
    },
  });
  const { quick } = values;
  return {
    /** Under 30 s, one round: shows that everything runs, its figures mean little. */
    quick,
    rounds: positive("rounds", values.rounds ?? (quick ? "1" : "3")),
    /** Of one measurement; the same time again goes before it as a warm-up in the first round. */
    durationMs: positive("seconds", values.seconds ?? (quick ? "0.5" : "4")) * 1_000,
    connections: positive("connections", values.connections),
    /** Names of cases, and of hosts (hono, plain, once, next, bare) or peers; all when empty. */
    only: list(values.only),
    hosts: list(values.hosts),
    /** Ends with 1 where a figure is more than 20 % worse than its bar (bars.ts). */
    check: values.check,
    /** Raw SQL by a loop over Node's driver, though pgbench is installed. */
    rawLoop: values["raw-loop"],
    /** Where the figures go as JSON. */
    json: values.json,
    /** First of eight ports. */
    port: positive("port", values.port),
    /** Sent and finished by each of those that are compared in the case `messages`. */
    jobs: positive("jobs", values.jobs ?? (quick ? "1000" : "20000")),
    /** Instead of everything else: rates of relay and inbox beside those with so many historic rows. Takes minutes. */
    growth: values.growth,
    history: positive("history", values.history),
    /** Of the large database of the case `pages`, of the small one beside it; the first also of the case `retention`. */
    operations: positive("operations", values.operations ?? (quick ? "50000" : "1000000")),
    small: positive("small", values.small),
    lean: values.lean,
    /** Of the case `peers`: where the source of one is that the registry does not have, by its name. */
    peerSources: new Map(values["peer-source"].map(nameAndFolder)),
  };
}

function list(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}

function nameAndFolder(text: string): [string, string] {
  const [name = "", ...folder] = text.split("=");
  if (name === "" || folder.length === 0) throw new Error(`--peer-source is no <name>=<folder>: ${text}`);
  return [name, resolve(folder.join("="))];
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} is not a positive number: ${text}`);
  return value;
}
