import type { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ORACLES } from "@/db/checks/oracles/index";
import { askOracle } from "@/db/checks/oracles/oracle";
import { keepProviderLedger } from "@/db/checks/oracles/witness";
import type { Caller } from "../caller";
import { openPlace, type CrashPlace } from "../place";
import { startProvider, type CrashProvider } from "../provider";
import { startApi, type Api } from "./api";
import { askApi } from "./ask-api";

/** A database, a provider and two server processes in front of them. */
export interface StormPlace {
  readonly place: CrashPlace;
  readonly provider: CrashProvider;
  readonly apis: readonly [Api, Api];
  close(): Promise<void>;
}

/** While the first is at work the others wait for it, at the most this long. */
const SETTLED_MS = 20_000;
const POLL_MS = 20;

export async function openStormPlace(): Promise<StormPlace> {
  const place = await openPlace();
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

/** Who was told to come back comes back, as soon as the first one is done. @returns who ended without an answer */
export async function settle(
  at: StormPlace,
  apiKey: string,
  agent: Agent,
  callers: readonly Caller[],
): Promise<string[]> {
  const until = performance.now() + SETTLED_MS;
  let waiting = callers.filter(toldToWait);
  while (waiting.length > 0 && performance.now() < until) {
    const [probe, ...others] = waiting;
    if (probe === undefined) break;
    probe.told = await askApi(at.apis[0].port, apiKey, probe.wish, agent);
    if (toldToWait(probe)) {
      await delay(POLL_MS);
      continue;
    }
    await Promise.all(
      others.map(async (caller, index) => {
        caller.told = await askApi(at.apis[index % 2 === 0 ? 0 : 1].port, apiKey, caller.wish, agent);
      }),
    );
    waiting = waiting.filter(toldToWait);
  }
  return callers
    .filter(({ told }) => !["executed", "replayed", "conflict"].includes(told?.outcome ?? ""))
    .map(({ wish, name, told }) => `${wish.key}: ${name} ended with ${told?.outcome ?? "nothing"} ${told?.code ?? ""}`);
}

function toldToWait({ told }: Caller): boolean {
  return told?.outcome === "in_progress";
}

/** Asks all oracles about one storm. */
export async function judge({ place, provider }: StormPlace, tenant: string): Promise<string[]> {
  const { pool } = place.db;
  await keepProviderLedger(pool, tenant, await provider.ledger(tenant));
  const found = await Promise.all(ORACLES.map((oracle) => askOracle(pool, oracle, tenant)));
  return found.flat().map(({ oracle, id, why }) => `${oracle} ${id}: ${why}`);
}
