import { v7 as uuidv7 } from "uuid";
import { newCaller, type CrashCaller } from "../caller";
import { apiKeyFor } from "./api";
import { askApi } from "./ask-api";
import { judgeStorm, recordAll, retryWaiting, type StormEnvironment, type StormResult } from "./storm-environment";

/** Callers of the stuck key, of one server process with 32 connections. */
const CALLERS = 256;
const BYSTANDERS = 20;
const TENANT = "stalled";

/**
 * A process that stands still inside its local transaction: its claim is there and nobody can see it. Its own callers are
 * answered that it is in progress, and callers of other keys are served as if nothing were wrong.
 */
export async function runStalledOwner(at: StormEnvironment): Promise<StormResult> {
  const apiKey = await apiKeyFor(at.place, TENANT);
  const owner = await at.place.db.pool.connect();
  const [api] = at.apis;
  const sentAt = new Date();
  const ask = async (caller: CrashCaller): Promise<void> => {
    caller.result = await askApi(api.port, apiKey, caller.wish);
  };
  try {
    await owner.query("begin");
    await owner.query({
      text: `select onceboard.claim(p_tenant => $1, p_operation => 'accounts.create', p_key => 'stuck', p_operation_id => $2,
               p_principal => 'till', p_fingerprint => $3, p_owner => 'paused')`,
      values: [TENANT, uuidv7(), Buffer.alloc(32)],
    });
    const stuck = callersOf("stuck", CALLERS, "one-account");
    const free = Array.from({ length: BYSTANDERS }, (_, index) => callersOf(`free-${String(index)}`, 1)).flat();
    const asking = Promise.all(stuck.map(ask));
    await Promise.all(free.map(ask));
    await asking;
    const problems = [
      ...free.filter(({ result }) => result?.outcome !== "executed").map((caller) => `another key: ${heard(caller)}`),
      ...stuck
        .filter(({ result }) => result?.outcome !== "in_progress")
        .map((caller) => `the stuck key: ${heard(caller)}`),
    ];
    await owner.query("rollback");
    problems.push(...(await retryWaiting(at, apiKey, stuck)));
    const all = [...stuck, ...free];
    await recordAll(at, TENANT, all, sentAt);
    problems.push(...(await judgeStorm(at, TENANT)));
    return { problems, summary: `${String(CALLERS)} callers of a stuck key, ${String(BYSTANDERS)} of others` };
  } finally {
    owner.release(true);
  }
}

function callersOf(key: string, count: number, accountId = key): CrashCaller[] {
  const wish = { operation: "account", key, fields: { accountId, currency: "EUR" } } as const;
  return Array.from({ length: count }, (_, index) => newCaller(wish, `${key}-${String(index)}`, key));
}

function heard({ result }: CrashCaller): string {
  return `${result?.outcome ?? "nothing"} ${result?.code ?? ""}`;
}
