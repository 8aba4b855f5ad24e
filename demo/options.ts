import { readTrafficSettings, trafficHelp } from "./traffic/options";

/** Seconds between two crashes of the extra API process, on average. */
const DEFAULT_KILL_EVERY = 60;
const MAX_KILL_EVERY = 86_400;
const KILL_EVERY = "--kill-every";
const NO_HISTORY = "--no-history";

export interface DemoOptions {
  /** Seconds; 0 never kills. */
  readonly killEvery: number;
  /** An empty database gets a week of history first. */
  readonly history: boolean;
  /** For the traffic: `--rate 4`, `--proxy-cut-after 0.03`, `--weight-pay 10`, `--seed 1` … */
  readonly trafficArgs: readonly string[];
}

/** @returns what `npm run demo -- --help` prints. */
export function demoHelp(): string {
  return [
    "npm run demo -- [options]    everything on one machine, with live traffic; Ctrl-C stops it",
    "",
    `  --kill-every ${String(DEFAULT_KILL_EVERY)}         seconds between two kill -9 of an API process, on average; 0 never`,
    `  ${NO_HISTORY}            begins with an empty database instead of a week of history`,
    ...trafficHelp(),
    "",
  ].join("\n");
}

/**
 * @param argv everything behind `npm run demo --`
 * @throws Error in one sentence that names the bad option
 */
export function readDemoOptions(argv: readonly string[]): DemoOptions {
  const trafficArgs: string[] = [];
  let killEvery = DEFAULT_KILL_EVERY;
  let history = true;
  for (let index = 0; index < argv.length; index += 1) {
    const text = argv[index] ?? "";
    if (text === KILL_EVERY) killEvery = seconds(argv[++index] ?? "");
    else if (text.startsWith(`${KILL_EVERY}=`)) killEvery = seconds(text.slice(KILL_EVERY.length + 1));
    else if (text === NO_HISTORY) history = false;
    else trafficArgs.push(text);
  }
  // Refused here, before anything slow begins, and not by the child at the end.
  readTrafficSettings(["--keys", "later", ...trafficArgs], {});
  return { killEvery, history, trafficArgs };
}

function seconds(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= MAX_KILL_EVERY)) {
    throw new Error(`${KILL_EVERY} must be a number of seconds from 0 (never) to ${String(MAX_KILL_EVERY)}.`);
  }
  return value;
}
