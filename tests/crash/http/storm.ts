import { Agent } from "node:http";
import { recordCall, type CrashCaller } from "../caller";
import type { OperationName } from "../operations";
import { apiKeyFor } from "./api";
import { askApi, type ApiCallResult } from "./ask-api";
import { runStalledOwner } from "./stalled-owner";
import { judge, openStormEnvironment, retryWaiting, type StormEnvironment } from "./storm-environment";

interface Storm {
  readonly callers: number;
  readonly rounds: number;
  readonly operation: Extract<OperationName, "payment" | "account">;
  /** What a second caller meets: 409 at once, or a bounded wait for the first one's answer. */
  readonly inFlight: "conflict" | "wait";
}

type Say = (line: string) => void;

/** Callers of all rounds of one storm together, about; small ones have more rounds. */
const FULL_CALLERS = 3_000;
const SHORT_CALLERS = 500;
const MAX_ROUNDS = 200;
const PROBLEMS_SHOWN = 20;

/** Many callers of one key at the same moment, half of them with another command, against two server processes. */
export async function runStorms(
  sizes: readonly number[],
  short: boolean,
  say: Say,
): Promise<{ passed: number; failed: number }> {
  const at = await openStormEnvironment();
  const storms = stormsOf(sizes, short ? SHORT_CALLERS : FULL_CALLERS);
  let failed = 0;
  const tell = (name: string, problems: readonly string[], told: string): void => {
    if (problems.length > 0) failed += 1;
    say(`${problems.length > 0 ? "FAIL" : "ok"} ${name}: ${told}`);
    for (const problem of problems.slice(0, PROBLEMS_SHOWN)) say(`  ${problem}`);
  };
  try {
    for (const [index, storm] of storms.entries()) {
      const { problems, told } = await runStorm(at, storm, `storm${String(index)}`);
      tell(nameOf(storm), problems, told);
    }
    const { problems, told } = await runStalledOwner(at);
    tell("stalled owner", problems, told);
  } finally {
    await at.close();
  }
  return { passed: storms.length + 1 - failed, failed };
}

function stormsOf(sizes: readonly number[], callersAtMost: number): Storm[] {
  return sizes.flatMap((callers) => {
    const rounds = Math.max(1, Math.min(MAX_ROUNDS, Math.floor(callersAtMost / callers)));
    return [
      { callers, rounds, operation: "payment", inFlight: "conflict" },
      { callers, rounds, operation: "payment", inFlight: "wait" },
      { callers, rounds, operation: "account", inFlight: "conflict" },
    ] as const;
  });
}

function nameOf({ callers, rounds, operation, inFlight }: Storm): string {
  return `storm of ${String(callers)} × ${String(rounds)}, ${operation}, in flight: ${inFlight}`;
}

async function runStorm(
  at: StormEnvironment,
  storm: Storm,
  tenant: string,
): Promise<{ readonly problems: readonly string[]; readonly told: string }> {
  const apiKey = await apiKeyFor(at.place, tenant);
  await at.place.db.pool.query({
    text: `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by)
           values ($1, 'payments.create', $2, 'suite')`,
    values: [tenant, JSON.stringify({ inFlight: storm.inFlight })],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const problems: string[] = [];
  const tally = new Map<string, number>();
  let slowestMs = 0;
  try {
    for (let round = 0; round < storm.rounds; round += 1) {
      const callers = callersOf(storm, tenant, round);
      const sentAt = new Date();
      const all = await Promise.all(
        callers.map(async (caller, index) => {
          const started = performance.now();
          const told = await askApi(at.apis[index % 2 === 0 ? 0 : 1].port, apiKey, caller.wish, agent);
          slowestMs = Math.max(slowestMs, performance.now() - started);
          tally.set(told.outcome, (tally.get(told.outcome) ?? 0) + 1);
          caller.result = told;
          return told;
        }),
      );
      problems.push(
        ...wrongAnswers(all, `round ${String(round)}`),
        ...(await retryWaiting(at, apiKey, agent, callers)),
      );
      await Promise.all(
        callers.map(async (caller) => {
          if (caller.result) await recordCall(at.place, tenant, caller, "crash", sentAt, caller.result);
        }),
      );
    }
  } finally {
    agent.destroy();
  }
  problems.push(...(await judge(at, tenant)));
  const counts = [...tally].map(([outcome, count]) => `${String(count)} ${outcome}`).join(", ");
  return { problems, told: `${counts}; slowest ${String(Math.round(slowestMs))} ms` };
}

function callersOf({ callers, operation }: Storm, tenant: string, round: number): CrashCaller[] {
  const key = `${tenant}-${String(round)}`;
  const fields = (other: boolean): Record<string, string> =>
    operation === "payment"
      ? { accountId: "acc_1", amountMinor: other ? "4300" : "4200" }
      : { accountId: key, currency: other ? "USD" : "EUR" };
  return Array.from({ length: callers }, (_, index) => {
    // By pairs, so that both processes get both commands; every other round the second command comes first. Two callers
    // want the same thing every other round.
    const other = callers === 2 ? index === 1 && round % 2 === 1 : (Math.floor(index / 2) + round) % 2 === 1;
    return {
      name: `caller-${String(index)}`,
      intent: other ? `${key}-other` : key,
      retries: true,
      result: undefined,
      wish: { operation, key, fields: fields(other) },
    };
  });
}

/** What no caller of a storm may be told. */
function wrongAnswers(told: readonly ApiCallResult[], where: string): string[] {
  const problems: string[] = [];
  for (const { outcome, status, code, retryAfter } of told) {
    const what = `${where}: ${outcome} ${String(status)} ${code ?? ""}`;
    if (!["executed", "replayed", "conflict", "in_progress"].includes(outcome)) problems.push(what);
    else if (outcome === "in_progress" && (status !== 409 || retryAfter === undefined))
      problems.push(`${what} without Retry-After`);
  }
  const executed = told.filter(({ outcome }) => outcome === "executed").length;
  if (executed !== 1) problems.push(`${where}: ${String(executed)} callers were told that they executed it`);
  return problems;
}
