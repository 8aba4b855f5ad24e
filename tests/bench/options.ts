import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Under 30 s, one round: shows that everything runs, its figures mean little. */
  readonly quick: boolean;
  readonly rounds: number;
  /** Of one measurement, ms; the same time again goes before it as a warm-up in the first round. */
  readonly durationMs: number;
  readonly connections: number;
  /** Names of cases; all when empty. */
  readonly only: readonly string[];
  /** Where the figures go as JSON. */
  readonly json: string | undefined;
  /** First of six ports. */
  readonly port: number;
  /** hono, plain, next; all when empty. */
  readonly hosts: readonly string[];
  /** Raw SQL by a loop over Node's driver, though pgbench is installed. */
  readonly rawLoop: boolean;
  /** Sent and finished by each of those that are compared in the case `messages`. */
  readonly jobs: number;
  /** Instead of everything else: rates of relay and inbox beside those with so many historic rows. Takes minutes. */
  readonly growth: boolean;
  readonly history: number;
  /** Of the large database of the case `pages`. */
  readonly operations: number;
  /** Of the small one beside it. */
  readonly small: number;
}

/** @throws Error in one sentence for an option that does not exist or is no number */
export function readBenchOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string", default: "32" },
      only: { type: "string", default: "" },
      hosts: { type: "string", default: "" },
      "raw-loop": { type: "boolean", default: false },
      json: { type: "string" },
      port: { type: "string", default: "5000" },
      jobs: { type: "string" },
      growth: { type: "boolean", default: false },
      history: { type: "string", default: "5000000" },
      operations: { type: "string" },
      small: { type: "string", default: "10000" },
    },
  });
  const { quick } = values;
  return {
    quick,
    rounds: positive("rounds", values.rounds ?? (quick ? "1" : "3")),
    durationMs: positive("seconds", values.seconds ?? (quick ? "0.5" : "4")) * 1_000,
    connections: positive("connections", values.connections),
    only: list(values.only),
    hosts: list(values.hosts),
    rawLoop: values["raw-loop"],
    json: values.json,
    port: positive("port", values.port),
    jobs: positive("jobs", values.jobs ?? (quick ? "1000" : "20000")),
    growth: values.growth,
    history: positive("history", values.history),
    operations: positive("operations", values.operations ?? (quick ? "50000" : "1000000")),
    small: positive("small", values.small),
  };
}

function list(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} is not a positive number: ${text}`);
  return value;
}
