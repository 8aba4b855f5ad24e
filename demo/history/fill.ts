import { createDatabase, type Database, type Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { beginFill, FILL_SETTINGS, fillFrom, putter, withDay, type Put } from "./fill-day";
import { markSeeded } from "./mark";
import { tellEvents } from "./message-rows";
import { rollUpDay, type HistoryDay } from "./roll-up-day";
import type { SeedStatement } from "./statement";

/** What a tenant is filled with. */
export interface TenantHistory {
  readonly before: readonly SeedStatement[];
  /** Oldest first. */
  readonly days: readonly HistoryDay[];
  /** Of each day, from its `seed_rows`. */
  readonly daily: readonly SeedStatement[];
  /** What only code can make of a day: before its statements, and after them. */
  readonly around?: readonly [before: DayStep, after: DayStep];
  readonly after: readonly SeedStatement[];
  /** The time that passed since the history was made until now, as often as it is made longer. */
  readonly tail?: (from: Date, now: Date) => readonly HistoryDay[];
  /** Behind each tail, in the same transaction. */
  readonly tailed?: (tx: Queryable, from: Date) => Promise<void>;
  /** What only code can make, in the same transaction. */
  readonly finish?: (tx: Queryable) => Promise<void>;
}

type DayStep = (tx: Queryable, day: string) => Promise<void>;

export interface FillOptions {
  /** Owner of the tables. */
  readonly url: string;
  readonly tenant: string;
  readonly say: (line: string) => void;
}

export interface Seeded {
  /** False: this tenant has this seed already, nothing was done. */
  readonly done: boolean;
  readonly seconds: number;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Makes the history longer, until now. Nothing else may write for the tenant meanwhile. */
  readonly lengthen: () => Promise<void>;
}

/** One seed may take so long. */
const TIMEOUT_MS = 4 * 3_600_000;
/** Sessions that roll up days beside each other, after the rows are committed. */
const ROLL_UPS_AT_ONCE = 2;
/** Statistics of what code reads at the end: those of another tenant's rows would lead to plans that take minutes. */
const ANALYZE = `analyze ${["idempotency_requests", "idempotency_events", "provider_requests", "outbox_history", "dead_letters", "message_attempts"].map((table) => `onceboard.${table}`).join(", ")}`;

/**
 * Fills a tenant with a history by statements over whole days, in one transaction: all of it or nothing; then rolls it up.
 *
 * @param historyOf gets the time that the history ends at; undefined: there is nothing to do but roll-ups that are missing
 * @param days of the history, for its roll-ups
 */
export async function fillTenant(
  options: FillOptions,
  historyOf: (tx: Queryable, now: Date) => Promise<TenantHistory | undefined>,
  days: (now: Date) => readonly Pick<HistoryDay, "day" | "ago">[],
): Promise<Seeded> {
  const owner = ownerOf(options);
  const started = performance.now();
  try {
    const rows = new Map<string, number>();
    const made = await inTransaction(owner, (tx) => fill(tx, options, historyOf, rows), { retries: 0 });
    if (made !== undefined) {
      options.say(`rows after ${seconds(started)} s; vacuum and statistics`);
      // What autovacuum would do in its own time: without it the first reader of every page would pay for all rows.
      await owner.pool.query({ text: "vacuum (analyze)" });
      await lengthen(owner, options, made, rows);
    }
    options.say(`roll-ups after ${seconds(started)} s`);
    await rollUp(owner, options.tenant, days(new Date()));
    return {
      done: made !== undefined,
      seconds: (performance.now() - started) / 1_000,
      rows: Object.fromEntries(rows),
      lengthen: async () => {
        if (made === undefined) return;
        const again = ownerOf(options);
        try {
          await lengthen(again, options, made, rows);
        } finally {
          await again.close();
        }
      },
    };
  } finally {
    await owner.close();
  }
}

function ownerOf({ url }: FillOptions): Database {
  return createDatabase({ url, max: ROLL_UPS_AT_ONCE, role: "owner", statementTimeoutMs: TIMEOUT_MS });
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}

async function fill(
  tx: Queryable,
  { tenant, say }: FillOptions,
  historyOf: (tx: Queryable, now: Date) => Promise<TenantHistory | undefined>,
  rows: Map<string, number>,
): Promise<Made | undefined> {
  const now = await beginFill(tx);
  const history = await historyOf(tx, now);
  if (history === undefined) return undefined;
  const put = putter(tx, tenant, rows);
  for (const statement of history.before) await put(statement);
  for (const day of history.days) {
    const since = performance.now();
    const count = await fillDay(tx, tenant, day, history, put);
    const rate = Math.round((1_000 * count) / (performance.now() - since));
    say(`${day.day}: ${count.toLocaleString("en")} operations, ${rate.toLocaleString("en")} a second`);
  }
  for (const statement of history.after) await put(statement);
  if (history.finish !== undefined) {
    await tx.query({ text: ANALYZE });
    await history.finish(tx);
  }
  await markSeeded(tx, tenant, { operations: rows.get("idempotency_requests") ?? 0 });
  return { history, until: now };
}

interface Made {
  readonly history: TenantHistory;
  /** Where it ends. */
  until: Date;
}

/** Minutes of the tail may have been rolled up by the worker while they were empty. */
const STALE = `update onceboard.metric_buckets m set stale = true
where m.tenant_id = $1 and m.bucket >= date_trunc('minute', $2::timestamptz) and m.computed_at is not null and not m.stale`;

async function lengthen(
  owner: Database,
  { tenant }: FillOptions,
  made: Made,
  rows: Map<string, number>,
): Promise<void> {
  const { history, until } = made;
  if (history.tail === undefined) return;
  const { tail, tailed } = history;
  made.until = await inTransaction(
    owner,
    async (tx) => {
      const now = await beginFill(tx);
      const put = putter(tx, tenant, rows);
      for (const day of tail(until, now)) await fillDay(tx, tenant, day, history, put);
      await tailed?.(tx, until);
      await tx.query({ text: STALE, values: [tenant, until] });
      return now;
    },
    { retries: 0 },
  );
}

/** @returns operations of the day */
async function fillDay(
  tx: Queryable,
  tenant: string,
  day: HistoryDay,
  { daily, around }: Pick<TenantHistory, "daily" | "around">,
  put: Put,
): Promise<number> {
  const prepare = async (): Promise<void> => {
    await tellEvents(tx, tenant);
    await around?.[0](tx, day.day);
  };
  const own = { table: "seed_rows", rows: day.rows, daily, analyze: true, prepare };
  const count = await withDay(tx, day.day, () => fillFrom(tx, day.day, own, put));
  await around?.[1](tx, day.day);
  await tx.query({ text: "drop table seed_rows" });
  return count;
}

/** Days that are not rolled up, several at once. A seed that was stopped here goes on here. */
async function rollUp(
  owner: Database,
  tenant: string,
  days: readonly Pick<HistoryDay, "day" | "ago">[],
): Promise<void> {
  const left = [...days];
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const day = next;
      const one = async (tx: Queryable): Promise<void> => {
        for (const text of FILL_SETTINGS) await tx.query({ text });
        await rollUpDay(tx, tenant, day);
      };
      await inTransaction(owner, one, { retries: 0 });
    }
  };
  await Promise.all(Array.from({ length: ROLL_UPS_AT_ONCE }, work));
  // As retention leaves them: their minutes are computed.
  await owner.pool.query({
    text: "delete from onceboard.inbox_batches b where b.tenant_id = $1 and b.processed_at < now() - interval '1 day'",
    values: [tenant],
  });
}
