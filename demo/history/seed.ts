import type { Queryable } from "@/db/client";
import { EVENT_ROWS } from "./event-rows";
import { fillTenant, type FillOptions, type Seeded } from "./fill";
import { requireSame, seedOf } from "./mark";
import { MESSAGE_ROWS, WAITING_ROWS } from "./message-rows";
import { SYSTEM_ROWS, TENANT_ROWS } from "./once";
import { OPERATION_ROWS } from "./operation-rows";
import type { HistoryDay } from "./roll-up-day";
import { seedRows } from "./rows";
import { LEAST_OPERATIONS, seedDays, seedShape, wholePatterns } from "./shape";

export interface SeedOptions extends FillOptions {
  readonly operations: number;
  /** About so many. */
  readonly events: number;
  /** Also beside traffic that nobody seeded. */
  readonly force: boolean;
}

/**
 * Fills a tenant with a month of traffic. A second call with the same size does nothing, but for roll-ups that are missing.
 *
 * @throws Error in one sentence: too small, another size is there, or traffic that is no seed's
 */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const operations = wholePatterns(options.operations);
  if (operations < LEAST_OPERATIONS) throw new Error(`A seed has at least ${String(LEAST_OPERATIONS)} operations.`);
  const days = (now: Date): HistoryDay[] => {
    const shape = seedShape(operations, options.events);
    const all = seedDays(now, operations);
    return all
      .map((day, index) => ({ day: day.day, rows: seedRows(day, shape), ago: all.length - index, count: day.count }))
      .filter(({ count }) => count > 0);
  };
  return fillTenant(
    options,
    async (tx, now) =>
      (await isSeeded(tx, { ...options, operations }))
        ? undefined
        : {
            before: TENANT_ROWS,
            days: days(now),
            daily: [...OPERATION_ROWS, ...EVENT_ROWS, ...MESSAGE_ROWS],
            after: [WAITING_ROWS, ...SYSTEM_ROWS],
          },
    days,
  );
}

/** @throws Error when the tenant has another seed, or the database traffic that is none */
async function isSeeded(tx: Queryable, { tenant, operations, force }: SeedOptions): Promise<boolean> {
  const mark = await seedOf(tx, { tenant, force });
  if (mark === undefined) return false;
  requireSame(mark, tenant, { operations, lean: false });
  return true;
}
