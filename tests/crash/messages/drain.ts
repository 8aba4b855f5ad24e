import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@/db/client";
import { settleMessage } from "@/db/messages/settle-message";
import { expireMessageLeases } from "./db-helpers";

/** After the last fault everything has arrived and is handled within this. */
const DRAIN_MS = 150_000;
const LOOK_MS = 500;

export interface Drained {
  /** What is left on its way. */
  readonly left: number;
  readonly ms: number;
  /** Dead letters that an operator handed back: their destination was away too often. */
  readonly requeued: number;
}

/** The faults are over: what waits for a later attempt need not wait, dead letters go back, and leases run out by themselves. */
export async function drainAll(db: Database, tenant: string): Promise<Drained> {
  const started = performance.now();
  let requeued = 0;
  // The looks below read all that there was: the planner has to know how much that is.
  await retryWhileDown(() => db.pool.query({ text: "analyze" }));
  for (;;) {
    const left = await retryWhileDown(() => leftOf(db, tenant));
    const ms = performance.now() - started;
    if (left === 0 || ms > DRAIN_MS) return { left, ms, requeued };
    requeued += await retryWhileDown(() => requeueDead(db, tenant));
    await retryWhileDown(() => expireMessageLeases({ db }, tenant, "free"));
    await delay(LOOK_MS);
  }
}

/** @returns what is scheduled or leased, what is in a broker, and what is dead without a reason */
async function leftOf(db: Database, tenant: string): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>({
    text: `select ((select count(*) from onceboard.outbox_messages m where m.tenant_id = $1 and m.state in ('pending', 'dead'))
      + (select count(*) from onceboard.inbox_open i where i.tenant_id = $1)
      + (select count(*) from onceboard.inbox_messages i where i.tenant_id = $1 and i.state = 'dead' and not exists (
           select 1 from witness.troubles t where t.tenant_id = $1 and t.message_id = i.message_id and t.until_attempt is null))
      + (select count(*) from onceboard.outbox_history h join witness.subscriptions s on s.type = h.type
         where h.tenant_id = $1 and h.transport is not null and h.topic <> 'mail' and h.topic not like 'webhook:%' and not exists (
           select 1 from onceboard.inbox_messages i
           where i.tenant_id = $1 and i.message_id = h.id::text and i.source = 'onceboard' and i.consumer = s.consumer)))::integer as count`,
    values: [tenant],
  });
  return rows[0]?.count ?? 0;
}

async function requeueDead(db: Database, tenant: string): Promise<number> {
  const { rows } = await db.pool.query<{ side: "outbox" | "inbox"; id: string }>({
    text: `select 'outbox' as side, m.id from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'dead'
           union all
           select 'inbox', i.id from onceboard.inbox_messages i
           where i.tenant_id = $1 and i.state = 'dead' and not exists (
             select 1 from witness.troubles t where t.tenant_id = $1 and t.message_id = i.message_id and t.until_attempt is null)`,
    values: [tenant],
  });
  for (const { side, id } of rows) {
    const by = { actor: "operator", reason: "its destination is back" };
    await settleMessage(db.pool, `requeue_${side}`, { tenantId: tenant, id }, by);
  }
  return rows.length;
}

const RETRY_LIMIT_MS = 60_000;

const AGAIN_MS = 100;

/** Asks again while the database is away. @throws the last error, after a minute */
export async function retryWhileDown<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + RETRY_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(AGAIN_MS);
    }
  }
}
