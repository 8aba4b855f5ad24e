import type { Queryable } from "@/db/client";
import { EVENT_ROWS } from "./event-rows";
import { fillTenant, SEED_MARK, type FillOptions, type Seeded } from "./fill";
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
  const { rows } = await tx.query<{ tenant_id: string; operations: string }>({
    text: `select a.tenant_id, a.after ->> 'operations' as operations from onceboard.audit_entries a where a.action = '${SEED_MARK}'`,
  });
  const own = rows.find((row) => row.tenant_id === tenant);
  if (own !== undefined) {
    if (own.operations === String(operations)) return true;
    throw new Error(`Tenant ${tenant} has a seed of ${own.operations} operations already.`);
  }
  const { rows: others } = await tx.query<{ real: boolean }>({
    text: "select exists (select 1 from onceboard.idempotency_requests r where r.tenant_id <> all ($1::text[])) as real",
    values: [rows.map((row) => row.tenant_id)],
  });
  if (others[0]?.real === true && !force)
    throw new Error("This database has traffic that was not seeded; --force seeds beside it.");
  return false;
}
