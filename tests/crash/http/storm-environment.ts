import { setTimeout as delay } from "node:timers/promises";
import { recordCall, type CrashCaller } from "../caller";
import { openCrashEnvironment, type CrashEnvironment } from "../environment";
import { judge, problemOf } from "../judge";
import { startProvider, type CrashProvider } from "../provider";
import { startApi, type ApiProcess } from "./api";
import { askApi } from "./ask-api";

/** A database, a provider and two server processes in front of them. */
export interface StormEnvironment {
  readonly place: CrashEnvironment;
  readonly provider: CrashProvider;
  readonly apis: readonly [ApiProcess, ApiProcess];
  close(): Promise<void>;
}

export interface StormResult {
  readonly problems: readonly string[];
  /** One line for the report. */
  readonly summary: string;
}

/** While the first is at work the others wait for it, at the most this long. */
const SETTLED_MS = 20_000;
const POLL_MS = 20;

export async function openStormEnvironment(): Promise<StormEnvironment> {
  const place = await openCrashEnvironment();
  const provider = await startProvider();
  const apis = await Promise.all([startApi(place, provider.port), startApi(place, provider.port)]);
  return {
    place,
    provider,
    apis,
    async close() {
      await Promise.all(apis.map((api) => api.stop()));
      await provider.close();
      await place.close();
    },
  };
}

/** Callers that are to retry do so as soon as the first one is done. @returns who ended without an answer */
export async function retryWaiting(
  at: StormEnvironment,
  apiKey: string,
  callers: readonly CrashCaller[],
): Promise<string[]> {
  const until = performance.now() + SETTLED_MS;
  let waiting = callers.filter(mustWait);
  while (waiting.length > 0 && performance.now() < until) {
    const [probe, ...others] = waiting;
    if (probe === undefined) break;
    probe.result = await askApi(at.apis[0].port, apiKey, probe.wish);
    if (mustWait(probe)) {
      await delay(POLL_MS);
      continue;
    }
    await Promise.all(
      others.map(async (caller, index) => {
        caller.result = await askApi(at.apis[index % 2 === 0 ? 0 : 1].port, apiKey, caller.wish);
      }),
    );
    waiting = waiting.filter(mustWait);
  }
  return callers
    .filter(({ result }) => !["executed", "replayed", "conflict"].includes(result?.outcome ?? ""))
    .map(
      ({ wish, name, result }) =>
        `${wish.key}: ${name} ended with ${result?.outcome ?? "nothing"} ${result?.code ?? ""}`,
    );
}

function mustWait({ result }: CrashCaller): boolean {
  return result?.outcome === "in_progress";
}

export async function recordAll(
  { place }: StormEnvironment,
  tenant: string,
  callers: readonly CrashCaller[],
  sentAt: Date,
): Promise<void> {
  await Promise.all(
    callers.map(async (caller) => {
      if (caller.result) await recordCall(place, tenant, caller, "crash", sentAt, caller.result);
    }),
  );
}

/** Asks all oracles about one storm. */
export async function judgeStorm({ place, provider }: StormEnvironment, tenant: string): Promise<string[]> {
  return (await judge(place.db.pool, tenant, await provider.ledger(tenant))).map(problemOf);
}
