import { createDatabase } from "@/db/client";
import { runAsOwner } from "../database";
import { until } from "../../shared/until";

/** Orders of this item wait at the gate. */
export const HELD_ITEM = "held";
const GATE = 7_203;
/** So often nothing has moved before everything that can happen is said to have happened. */
const QUIET_LOOKS = 25;
const MADE = [
  `create function orders.wait_at_gate() returns trigger language plpgsql as $$ begin
     perform set_config('lock_timeout', '0', true);
     perform pg_advisory_xact_lock_shared(${String(GATE)});
     return null;
   end $$`,
  `create constraint trigger gate after insert on orders.orders deferrable initially deferred
     for each row when (new.item = '${HELD_ITEM}') execute function orders.wait_at_gate()`,
];
const UNMADE = ["drop trigger gate on orders.orders", "drop function orders.wait_at_gate()"];
const WAITING = `select count(*)::int as n from pg_locks
  where locktype = 'advisory' and objid = ${String(GATE)} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
const BUSY = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and wait_event_type is distinct from 'Lock'`;
const EFFECTS = "select count(*)::int as n from orders.orders where reference = $1";

/**
 * Holds effects up in PostgreSQL, whoever makes them: the commit that brings the row waits at the end of its transaction. So a process
 * can be killed when its effect is sure and its answer is not: a commit that has begun ends without whoever asked for it.
 */
export interface Gate {
  close(): Promise<void>;
  /** Waits until so many commits are held up. */
  reached(commits: number): Promise<void>;
  /** Waits until nothing moves any more, in the database and by `progress`. */
  quiet(progress: () => number): Promise<void>;
  open(): Promise<void>;
  /** Waits until this order has an effect. */
  committed(reference: string): Promise<void>;
  /** How many effects this order has. */
  effects(reference: string): Promise<number>;
  /** Takes it down. */
  remove(): Promise<void>;
}

export async function buildGate(url: string): Promise<Gate> {
  await runAsOwner(url, MADE);
  const db = createDatabase({ url, max: 2, role: "owner", applicationName: "bench gate" });
  const holder = await db.pool.connect();
  const numberOf = async (text: string, values: unknown[] = []): Promise<number> =>
    (await db.pool.query<{ n: number }>({ text, values })).rows[0]?.n ?? 0;
  const effects = (reference: string): Promise<number> => numberOf(EFFECTS, [reference]);
  return {
    close: async () => void (await holder.query(`select pg_advisory_lock(${String(GATE)})`)),
    open: async () => void (await holder.query(`select pg_advisory_unlock(${String(GATE)})`)),
    reached: (commits) =>
      until(`${String(commits)} commits at the gate`, async () => (await numberOf(WAITING)) >= commits),
    async quiet(progress) {
      let [looks, before] = [0, ""];
      await until("nothing moves", async () => {
        const state = [await numberOf(WAITING), await numberOf(BUSY), progress()];
        const now = state.join();
        looks = now === before && state[1] === 0 ? looks + 1 : 0;
        before = now;
        return looks >= QUIET_LOOKS;
      });
    },
    committed: (reference) => until("the effect", async () => (await effects(reference)) > 0),
    effects,
    async remove() {
      holder.release();
      await db.close();
      await runAsOwner(url, UNMADE);
    },
  };
}
