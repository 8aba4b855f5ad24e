import { createDatabase, type Database, type Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { EVENT_ROWS } from "../event-rows";
import { beginFill, FILL_SETTINGS, fillFrom, putter, withDay } from "../fill-day";
import { markSeeded, requireSame, seedOf } from "../mark";
import { MESSAGE_ROWS, tellEvents, WAITING_ROWS } from "../message-rows";
import { SYSTEM_ROWS, TENANT_ROWS } from "../once";
import { OPERATION_ROWS } from "../operation-rows";
import { rollUpDay } from "../roll-up-day";
import { seedRows } from "../rows";
import { LEAST_OPERATIONS, seedDays, seedShape, wholePatterns, type SeedDay } from "../shape";
import { LEAN_KIND, ORDER_ROWS, orderRows, ORDERS } from "./order-rows";

/** One in so many operations is of the month's full traffic, with all that hangs on it; the others are orders. */
const FULL_SHARE = 40;
/** Events of one full operation. */
const EVENTS = 4;
/** Smallest lean seed: every state has its rows, and as many orders. */
export const LEAST_LEAN = 2 * LEAST_OPERATIONS;
/** Sessions that fill days beside each other. */
const AT_ONCE = 2;
const TIMEOUT_MS = 4 * 3_600_000;

export interface LeanOptions {
  /** Owner of the tables. */
  readonly url: string;
  readonly tenant: string;
  readonly operations: number;
  /** Also beside traffic that nobody seeded. */
  readonly force: boolean;
  readonly say: (line: string) => void;
}

export interface LeanSeeded {
  /** False: this tenant has this seed already, nothing was done. */
  readonly done: boolean;
  readonly seconds: number;
  /** Rows by table, of this run. */
  readonly rows: Readonly<Record<string, number>>;
}

/** One day of both kinds of traffic. */
interface LeanDay {
  readonly full: SeedDay;
  readonly orders: SeedDay;
  /** 1: the last one. */
  readonly ago: number;
}

interface Filling {
  readonly owner: Database;
  readonly options: LeanOptions;
  readonly rows: Map<string, number>;
  readonly started: number;
}

/**
 * Fills a tenant with a lean month: few rows an operation. Each day is a transaction of its own, and days are filled beside each other; one that was
 * interrupted goes on with the days that are missing, up to the same moment. A second call with the same size does nothing.
 *
 * @throws Error in one sentence: too small, another seed is there, or traffic that is no seed's
 */
export async function seedLean(options: LeanOptions): Promise<LeanSeeded> {
  const operations = wholePatterns(options.operations);
  if (operations < LEAST_LEAN) throw new Error(`A lean seed has at least ${String(LEAST_LEAN)} operations.`);
  const owner = createDatabase({ url: options.url, max: AT_ONCE, role: "owner", statementTimeoutMs: TIMEOUT_MS });
  const filling = { owner, options, rows: new Map<string, number>(), started: performance.now() };
  try {
    const until = await beginLean(filling, operations);
    const full = Math.max(LEAST_OPERATIONS, wholePatterns(operations / FULL_SHARE));
    if (until !== undefined) {
      await fillDays(filling, leanDays(until, full, operations - full), full);
      await endLean(filling, operations, until);
    }
    const seconds = (performance.now() - filling.started) / 1_000;
    return { done: until !== undefined, seconds, rows: Object.fromEntries(filling.rows) };
  } finally {
    await owner.close();
  }
}

/** @returns the moment that the history ends at, the same as of a run that was interrupted; undefined: it is whole */
async function beginLean({ owner, options, rows }: Filling, operations: number): Promise<Date | undefined> {
  const { tenant } = options;
  return inTransaction(
    owner,
    async (tx) => {
      const now = await beginFill(tx);
      const mark = await seedOf(tx, options);
      if (mark !== undefined) {
        requireSame(mark, tenant, { operations, lean: true });
        return mark.lean?.whole === false ? new Date(mark.lean.until) : undefined;
      }
      const put = putter(tx, tenant, rows);
      for (const statement of [...TENANT_ROWS, LEAN_KIND]) await put(statement);
      await markSeeded(tx, tenant, { operations, lean: { until: now.toISOString(), whole: false } });
      return now;
    },
    { retries: 0 },
  );
}

function leanDays(until: Date, full: number, orders: number): LeanDay[] {
  const own = seedDays(until, orders);
  return seedDays(until, full).flatMap((day, index) => {
    const beside = own[index];
    return beside === undefined ? [] : [{ full: day, orders: beside, ago: own.length - index }];
  });
}

/** Fills the days that are missing. @param full operations of the full traffic in all */
async function fillDays(filling: Filling, days: readonly LeanDay[], full: number): Promise<void> {
  const { options, started } = filling;
  const left = [...days];
  let [made, filled] = [0, 0];
  const work = async (): Promise<void> => {
    for (let day = left.shift(); day !== undefined; day = left.shift()) {
      const count = await fillDay(filling, day, full);
      await rollUp(filling, day);
      filled += 1;
      made += count;
      if (count === 0) continue;
      const seconds = (performance.now() - started) / 1_000;
      const rate = Math.round(made / seconds);
      options.say(
        `${day.full.day}: ${count.toLocaleString("en")} operations; ${String(filled)} of ${String(days.length)} days, ${rate.toLocaleString("en")} a second`,
      );
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () =>
      work().catch((error: unknown) => {
        // The others end their day, which stays.
        left.length = 0;
        throw error;
      }),
    ),
  );
  const failed = ended.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Holds one day for one run, so that two runs beside each other make it once. */
const LOCK = "select pg_advisory_xact_lock(hashtext('onceboard seed ' || $1 || $2))";
const IS_THERE = `select exists (select 1 from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation = '${ORDERS}'
  and r.created_at >= $2::date::timestamp at time zone 'utc' and r.created_at < ($2::date + 1)::timestamp at time zone 'utc') as there`;

/** @returns operations of the day; 0: it was there */
async function fillDay(
  { owner, options: { tenant }, rows }: Filling,
  { full, orders }: LeanDay,
  all: number,
): Promise<number> {
  const { day } = full;
  return inTransaction(
    owner,
    async (tx) => {
      await beginFill(tx);
      await tx.query({ text: LOCK, values: [tenant, day] });
      const { rows: found } = await tx.query<{ there: boolean }>({ text: IS_THERE, values: [tenant, day] });
      if (found[0]?.there === true) return 0;
      const put = putter(tx, tenant, rows);
      const month = {
        table: "seed_rows",
        rows: seedRows(full, seedShape(all, EVENTS * all)),
        daily: [...OPERATION_ROWS, ...EVENT_ROWS, ...MESSAGE_ROWS],
        analyze: true,
        prepare: () => tellEvents(tx, tenant),
      };
      const shop = { table: "order_rows", rows: orderRows(orders), daily: ORDER_ROWS, analyze: false };
      return withDay(tx, day, async () => {
        const payments = full.count > 0 ? await fillFrom(tx, day, month, put) : 0;
        return payments + (await fillFrom(tx, day, shop, put));
      });
    },
    // One day is attached after the other, with the indexes of its rows.
    { retries: 0, lockTimeoutMs: TIMEOUT_MS },
  );
}

async function rollUp({ owner, options: { tenant } }: Filling, { full: { day }, ago }: LeanDay): Promise<void> {
  const one = async (tx: Queryable): Promise<void> => {
    for (const text of FILL_SETTINGS) await tx.query({ text });
    await rollUpDay(tx, tenant, { day, ago });
  };
  await inTransaction(owner, one, { retries: 0 });
}

/** What comes once, behind all days, and the mark that the history is whole. */
async function endLean(
  { owner, options: { tenant, say }, rows, started }: Filling,
  operations: number,
  until: Date,
): Promise<void> {
  await inTransaction(
    owner,
    async (tx) => {
      await beginFill(tx);
      const put = putter(tx, tenant, rows);
      for (const statement of [WAITING_ROWS, ...SYSTEM_ROWS]) await put(statement);
      await markSeeded(tx, tenant, { operations, lean: { until: until.toISOString(), whole: true } });
    },
    { retries: 0 },
  );
  // As retention leaves them: their minutes are computed.
  await owner.pool.query({
    text: "delete from onceboard.inbox_batches b where b.tenant_id = $1 and b.processed_at < now() - interval '1 day'",
    values: [tenant],
  });
  say(`rows after ${((performance.now() - started) / 1_000).toFixed(0)} s; vacuum and statistics`);
  // What autovacuum would do in its own time: without it the first reader of every page would pay for all rows.
  await owner.pool.query({ text: "vacuum (analyze)" });
}
