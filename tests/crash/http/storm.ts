import type { CallResult } from "../oracles/recorder";
import { newCaller, type CrashCaller } from "../caller";
import type { Say, PartResult } from "../judge";
import { apiKeyFor } from "./api";
import { askApi } from "./ask-api";
import { runStalledOwner } from "./stalled-owner";
import {
  judgeStorm,
  openStormEnvironment,
  recordAll,
  retryWaiting,
  type StormEnvironment,
  type StormResult,
} from "./storm-environment";
import type { OperationName } from "@/tests/crash/point";

interface Storm {
  readonly callers: number;
  readonly rounds: number;
  readonly operation: Extract<OperationName, "payment" | "account">;
  /** What a second caller meets: 409 at once, or a bounded wait for the first one's answer. */
  readonly inFlight: "conflict" | "wait";
}

/** Callers of all rounds of one storm together, about; small ones have more rounds. */
const FULL_CALLERS = 3_000;
const SHORT_CALLERS = 500;
const MAX_ROUNDS = 200;
const PROBLEMS_SHOWN = 20;

/** Many callers of one key at the same moment, half of them with another command, against two server processes. */
export async function runStorms(sizes: readonly number[], short: boolean, say: Say): Promise<PartResult> {
  const at = await openStormEnvironment();
  const storms = stormsOf(sizes, short ? SHORT_CALLERS : FULL_CALLERS);
  let failed = 0;
  const report = (name: string, { problems, summary }: StormResult): void => {
    if (problems.length > 0) failed += 1;
    say(`${problems.length > 0 ? "FAIL" : "ok"} ${name}: ${summary}`);
    for (const problem of problems.slice(0, PROBLEMS_SHOWN)) say(`  ${problem}`);
  };
  try {
    for (const [index, storm] of storms.entries()) {
      report(nameOf(storm), await runStorm(at, storm, `storm${String(index)}`));
    }
    report("stalled owner", await runStalledOwner(at));
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

async function runStorm(at: StormEnvironment, storm: Storm, tenant: string): Promise<StormResult> {
  const apiKey = await apiKeyFor(at.place, tenant);
  await at.place.db.pool.query({
    text: `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by)
           values ($1, 'payments.create', $2, 'suite')`,
    values: [tenant, JSON.stringify({ inFlight: storm.inFlight })],
  });
  const problems: string[] = [];
  const tally = new Map<string, number>();
  let slowestMs = 0;
  for (let round = 0; round < storm.rounds; round += 1) {
    const callers = callersOf(storm, tenant, round);
    const sentAt = new Date();
    const all = await Promise.all(
      callers.map(async (caller, index) => {
        const started = performance.now();
        const result = await askApi(at.apis[index % 2 === 0 ? 0 : 1].port, apiKey, caller.wish);
        slowestMs = Math.max(slowestMs, performance.now() - started);
        tally.set(result.outcome, (tally.get(result.outcome) ?? 0) + 1);
        caller.result = result;
        return result;
      }),
    );
    problems.push(...wrongAnswers(all, `round ${String(round)}`), ...(await retryWaiting(at, apiKey, callers)));
    await recordAll(at, tenant, callers, sentAt);
  }
  problems.push(...(await judgeStorm(at, tenant)));
  const counts = [...tally].map(([outcome, count]) => `${String(count)} ${outcome}`).join(", ");
  return { problems, summary: `${counts}; slowest ${String(Math.round(slowestMs))} ms` };
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
    const wish = { operation, key, fields: fields(other) };
    return newCaller(wish, `caller-${String(index)}`, other ? `${key}-other` : key);
  });
}

/** What no caller of a storm may get. */
function wrongAnswers(results: readonly CallResult[], where: string): string[] {
  const problems: string[] = [];
  for (const { outcome, status, code } of results) {
    const isExpected = ["executed", "replayed", "conflict", "in_progress"].includes(outcome);
    if (!isExpected || (outcome === "in_progress" && status !== 409))
      problems.push(`${where}: ${outcome} ${String(status)} ${code ?? ""}`);
  }
  const executed = results.filter(({ outcome }) => outcome === "executed").length;
  if (executed !== 1) problems.push(`${where}: ${String(executed)} callers got the answer that they executed it`);
  return problems;
}
