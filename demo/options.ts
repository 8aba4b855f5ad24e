import { readTrafficSettings, trafficHelp } from "./traffic/options";

/** Seconds between two crashes of the extra API process, on average. */
const DEFAULT_KILL_EVERY = 60;
const MAX_KILL_EVERY = 86_400;
const KILL_EVERY = "--kill-every";
/** Share of the week's traffic that an empty database gets; it has the incidents with little too. */
const DEFAULT_HISTORY = 1;
const HISTORY = "--history";
const ATTACH = "--attach";

export interface DemoOptions {
  /** Seconds; 0 never kills. */
  readonly killEvery: number;
  /** How much of the week of history an empty database gets first: 1 all of its traffic, 0 none. */
  readonly history: number;
  /** Whether three databases of other people run beside it, attached to a tenant. */
  readonly attach: boolean;
  /** For the traffic: `--rate 4`, `--proxy-cut-after 0.03`, `--weight-pay 10`, `--seed 1` … */
  readonly trafficArgs: readonly string[];
}

/** @returns what `npm run demo -- --help` prints. */
export function demoHelp(): string {
  return [
    "npm run demo -- [options]    everything on one machine, with live traffic; Ctrl-C stops it",
    "",
    `  --kill-every ${String(DEFAULT_KILL_EVERY)}         seconds between two kill -9 of an API process, on average; 0 never`,
    `  ${HISTORY} ${String(DEFAULT_HISTORY)}             traffic of the week that an empty database is filled with, 1 all of it; 0 leaves it empty`,
    `  ${ATTACH}                three databases of other people beside it, attached: messages of CAP, jobs of pg-boss, keys made by hand`,
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
  let history = DEFAULT_HISTORY;
  let attach = false;
  for (let index = 0; index < argv.length; index += 1) {
    const text = argv[index] ?? "";
    const [name, given] = text.split("=", 2);
    if (name === KILL_EVERY)
      killEvery = between(KILL_EVERY, given ?? argv[++index], MAX_KILL_EVERY, "a number of seconds");
    else if (name === HISTORY) history = between(HISTORY, given ?? argv[++index], DEFAULT_HISTORY, "a share");
    else if (text === ATTACH) attach = true;
    else trafficArgs.push(text);
  }
  // Refused here, before anything slow begins, and not by the child at the end.
  readTrafficSettings(["--keys", "later", ...trafficArgs], {});
  return { killEvery, history, attach, trafficArgs };
}

function between(name: string, text: string | undefined, most: number, what: string): number {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= most)) throw new Error(`${name} must be ${what} from 0 to ${String(most)}.`);
  return value;
}
