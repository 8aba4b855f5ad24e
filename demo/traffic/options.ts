import { parseArgs } from "node:util";
import { BEHAVIOUR_NAMES, DEFAULT_WEIGHTS, type Weights } from "./weights";

export interface TrafficSettings {
  readonly baseUrl: string;
  readonly keysPath: string;
  /** Business actions per second, over all clients. */
  readonly rate: number;
  readonly weights: Weights;
  readonly cutBefore: number;
  readonly cutAfter: number;
  readonly seed: number;
  /** Control address of the sandbox provider; without it its faults stay as they are. */
  readonly sandboxUrl?: string | undefined;
}

const DEFAULTS = { baseUrl: "http://127.0.0.1:3000", rate: "0.7", cutBefore: "0.01", cutAfter: "0.03", seed: "1" };

/** What `npm run demo -- --help` says of the traffic; made of the same values. */
export function trafficHelp(): readonly string[] {
  return [
    `  --rate ${DEFAULTS.rate}                business actions per second, over all callers`,
    `  --proxy-cut-before ${DEFAULTS.cutBefore}  share of connections cut before the request is forwarded`,
    `  --proxy-cut-after ${DEFAULTS.cutAfter}   share cut after it was served: the answer is lost`,
    `  --seed ${DEFAULTS.seed}                same seed, same dice`,
    "  How often each behaviour is chosen, relative to the others:",
    ...BEHAVIOUR_NAMES.map((name) => `  --weight-${name} ${String(DEFAULT_WEIGHTS[name])}`),
  ];
}

/**
 * Arguments win over the environment (`TRAFFIC_BASE_URL`, `TRAFFIC_KEYS`, `TRAFFIC_RATE`, …).
 * @throws with the name of the bad setting.
 */
export function readTrafficSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TrafficSettings {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      "base-url": text,
      keys: text,
      rate: text,
      "proxy-cut-before": text,
      "proxy-cut-after": text,
      seed: text,
      "sandbox-url": text,
      ...Object.fromEntries(BEHAVIOUR_NAMES.map((name) => [`weight-${name}`, text])),
    },
  });
  const given: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : undefined]),
  );
  const pick = (name: string): string | undefined =>
    given[name] ?? env[`TRAFFIC_${name.toUpperCase().replaceAll("-", "_")}`];
  const keysPath = pick("keys");
  if (keysPath === undefined) throw new Error("--keys (or TRAFFIC_KEYS) must name a JSON file of API keys.");
  const weights: Record<keyof Weights, number> = { ...DEFAULT_WEIGHTS };
  for (const name of BEHAVIOUR_NAMES) {
    const wanted = pick(`weight-${name}`);
    if (wanted !== undefined) weights[name] = number(`weight-${name}`, wanted, 1_000);
  }
  return {
    baseUrl: pick("base-url") ?? DEFAULTS.baseUrl,
    keysPath,
    rate: number("rate", pick("rate") ?? DEFAULTS.rate, 1_000),
    weights,
    cutBefore: number("proxy-cut-before", pick("proxy-cut-before") ?? DEFAULTS.cutBefore, 1),
    cutAfter: number("proxy-cut-after", pick("proxy-cut-after") ?? DEFAULTS.cutAfter, 1),
    seed: number("seed", pick("seed") ?? DEFAULTS.seed, Number.MAX_SAFE_INTEGER),
    sandboxUrl: pick("sandbox-url"),
  };
}

function number(name: string, text: string, max: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= max)) throw new Error(`--${name} must be a number from 0 to ${String(max)}.`);
  return value;
}
