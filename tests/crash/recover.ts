import type { CrashEnvironment } from "./environment";
import { ask, knows, newCaller, type CrashCaller } from "./caller";
import type { Wish } from "./child/protocol";
import { unlessLost } from "./children";
import { PROVIDER_LATE } from "./oracles/rows";
import type { CrashRun } from "./run-state";

/** Rounds of recovery and retries after the faults have ended; what is not settled by then never will be. */
const ROUNDS = 12;
const TAIL = 5;

/** Lets every lease that no open transaction holds run out now, and every look-up be due: nobody waits for a clock. */
export async function expireLeases(place: CrashEnvironment, tenant: string): Promise<void> {
  await place.db.pool.query({
    name: "let_leases_run_out",
    text: `update onceboard.idempotency_open o
           set locked_until = case when o.locked_until is not null then clock_timestamp() - interval '1 second' end,
               next_check_at = case when o.next_check_at is not null then clock_timestamp() end
           where o.tenant_id = $1 and o.operation_id in (
             select d.operation_id from onceboard.idempotency_open d where d.tenant_id = $1 for update skip locked)`,
    values: [tenant],
  });
}

async function openCount(place: CrashEnvironment, tenant: string): Promise<number> {
  const { rows } = await place.db.pool.query<{ count: number }>({
    name: "open_count",
    text: "select count(*)::integer as count from onceboard.idempotency_open where tenant_id = $1",
    values: [tenant],
  });
  return rows[0]?.count ?? 0;
}

/** The faults are over: recovery runs, and everyone who wants to know asks until they do. */
export async function recoverRun(run: CrashRun): Promise<void> {
  const { session, tenant, plan } = run;
  await session.provider.faults({});
  if (plan.again) {
    await session.provider.settleAll(tenant);
    await expireLeases(session.place, tenant);
    await recoverAndDie(run);
  }
  await settle(run, run.callers, "heal");
}

/** Recovery takes its turns until the callers know and nothing is open. */
async function settle({ session, tenant }: CrashRun, callers: readonly CrashCaller[], phase: "heal" | "tail") {
  const waiting = () => callers.filter((caller) => caller.retries && !knows(caller));
  for (let round = 0; round < ROUNDS; round += 1) {
    await session.provider.settleAll(tenant);
    await expireLeases(session.place, tenant);
    await session.rescuer.ask({ do: "recover", tenant });
    for (const caller of waiting()) await ask(session.place, tenant, session.rescuer, caller, phase);
    if (waiting().length === 0 && (await openCount(session.place, tenant)) === 0) return;
  }
}

/** Recovery is killed at the first point that it reaches; the one after it has the same work again, under a higher fence. */
async function recoverAndDie(run: CrashRun): Promise<void> {
  const { child } = await run.session.victim();
  await child.ask({ do: "arm", arming: { point: "R2", mode: "kill", side: "database" } });
  await child.ask({ do: "recover", tenant: run.tenant }).catch(unlessLost);
  if (child.alive) await child.ask({ do: "arm", arming: undefined }).catch(unlessLost);
  await expireLeases(run.session.place, run.tenant);
}

/**
 * New work, half of it in the process that was hit if it lives: all of it must be done at once. Only a provider that did not answer in
 * time, as on a machine that has none, is asked after.
 */
export async function newWork(run: CrashRun): Promise<void> {
  const { session, tenant } = run;
  const { child: victim } = await session.victim();
  const callers: CrashCaller[] = [];
  for (let count = 0; count < TAIL; count += 1) {
    const intent = `${tenant}-tail-${String(count)}`;
    const local = count % 2 === 1;
    const wish: Wish = local
      ? { operation: "account", key: intent, fields: { accountId: intent, currency: "EUR" } }
      : { operation: "payment", key: intent, fields: { accountId: "acc_tail", amountMinor: "700" } };
    const caller = newCaller(wish);
    callers.push(caller);
    await ask(session.place, tenant, count < 2 ? victim : session.rescuer, caller, "tail");
  }
  if (callers.some(({ result }) => result?.code === PROVIDER_LATE)) await settle(run, callers, "tail");
}
