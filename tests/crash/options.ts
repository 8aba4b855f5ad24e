import { parseArgs } from "node:util";
import { cellsOf, CELLS, type Cell } from "./plan";

export interface CrashOptions {
  readonly runs: number;
  /** Of the first run; the next ones count up. */
  readonly seed: number;
  readonly cells: readonly Cell[];
  readonly lanes: number;
  readonly parts: ReadonlySet<CampaignPart>;
  /** Few runs were asked for, as on every change: fewer brokers and smaller storms than before a release. */
  readonly short: boolean;
  /** Of the campaign. */
  readonly messages: number;
  /** Callers of each storm. */
  readonly storm: readonly number[];
  readonly verbose: boolean;
}

export const PARTS = ["matrix", "bugs", "messages", "storm"] as const;
export type CampaignPart = (typeof PARTS)[number];

const DEFAULT_RUNS = 600;
const DEFAULT_LANES = 4;
const FULL_MESSAGES = 20_000;
const FULL_STORM = [2, 16, 64, 256, 1_000];
/** From here on a run is one for every change, and storms stay small. */
const SHORT_RUNS = 170;
const SHORT_MESSAGES = 600;
const SHORT_STORM = [2, 16, 64, 256];

export const USAGE = `npm run test:crash [-- options]
  --runs N         runs of the matrix (${String(DEFAULT_RUNS)}); up to ${String(SHORT_RUNS)} the storms are small too
  --seed N         seed of the first run; with --only one cell and no --runs it is that run alone
  --only P4:kill   one cell, one point (P4) or one family (P)
  --part a,b       of ${PARTS.join(", ")}; all by default
  --messages N     messages of the campaign (${String(FULL_MESSAGES)}); up to ${String(SHORT_RUNS)} runs ${String(SHORT_MESSAGES)}, without RabbitMQ
  --lanes N        runs at a time (${String(DEFAULT_LANES)})
  --verbose        a line for each run`;

/** @throws Error in one sentence */
export function readCrashOptions(argv: readonly string[], now: number): CrashOptions {
  const values = valuesOf([...argv]);
  const number = (name: "runs" | "seed" | "messages" | "lanes", otherwise: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number.`);
    return value;
  };
  const { only, part, verbose = false } = values;
  const one = only?.includes(":") === true && values.seed !== undefined;
  const runs = number("runs", one ? 1 : DEFAULT_RUNS);
  return {
    runs,
    seed: number("seed", now),
    cells: only === undefined ? CELLS : cellsOf(only),
    lanes: Math.max(1, Math.min(number("lanes", DEFAULT_LANES), runs)),
    parts: partsOf(part ?? (only === undefined ? undefined : "matrix")),
    short: runs <= SHORT_RUNS,
    messages: number("messages", runs <= SHORT_RUNS ? SHORT_MESSAGES : FULL_MESSAGES),
    storm: runs <= SHORT_RUNS ? SHORT_STORM : FULL_STORM,
    verbose,
  };
}

function valuesOf(args: string[]) {
  const text = { type: "string" } as const;
  const options = { runs: text, seed: text, only: text, part: text, messages: text, lanes: text } as const;
  return parseArgs({ args, options: { ...options, verbose: { type: "boolean" } } }).values;
}

function partsOf(text: string | undefined): ReadonlySet<CampaignPart> {
  const names = text?.split(",") ?? PARTS;
  const parts = PARTS.filter((part) => names.includes(part));
  if (parts.length !== names.length) throw new Error(`--part must be of ${PARTS.join(", ")}.`);
  return new Set(parts);
}
