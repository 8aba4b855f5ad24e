import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropPartitions, ensurePartitions, PARTITION_DAYS_AHEAD, type TableByDay, TABLES_BY_DAY } from "./partitions";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const query = async <R>(text: string, values: unknown[] = []) => (await test.db.pool.query<R>({ text, values })).rows;
const partitions = async (table: TableByDay) =>
  (
    await query<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = ('onceboard.' || $1)::regclass order by 1",
      [table],
    )
  ).map((row) => row.name);
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const named = (table: string, offset: number) => `onceboard.${table}_${day(offset).replaceAll("-", "")}`;

async function addDay(table: TableByDay, offset: number): Promise<void> {
  await query(
    `create table ${named(table, offset)} partition of onceboard.${table} for values from ('${day(offset)}') to ('${day(offset + 1)}')`,
  );
}

describe("ensure_partitions", () => {
  it("has every table ready from yesterday to a week ahead, and makes nothing twice", async () => {
    expect(await ensurePartitions(test.db.pool)).toBe(0);
    for (const table of TABLES_BY_DAY) {
      expect(await partitions(table)).toEqual(
        Array.from({ length: PARTITION_DAYS_AHEAD + 2 }, (_, index) => named(table, index - 1)),
      );
    }
  });

  it("may be called by several workers at once", async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () => ensurePartitions(test.db.pool, PARTITION_DAYS_AHEAD + 3)),
    );
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(3 * TABLES_BY_DAY.length);
  });

  it("gives a partition the keys and indexes of its table", async () => {
    const rows = await query<{ same: boolean }>(
      `select count(*) filter (where indrelid = 'onceboard.idempotency_events'::regclass)
            = count(*) filter (where indrelid = $1::regclass) as same from pg_index`,
      [named("idempotency_events", 0)],
    );
    expect(rows).toEqual([{ same: true }]);
  });

  it("refuses a number that is no number of days", async () => {
    await expect(ensurePartitions(test.db.pool, -1)).rejects.toMatchObject({ code: "22023" });
  });
});

describe("RETENTION-2 drop_partitions", () => {
  it("drops whole days before the first that stays, oldest first and no more than asked", async () => {
    for (const offset of [-5, -4, -3]) await addDay("outbox_history", offset);
    const first = await dropPartitions(test.db.pool, { table: "outbox_history", before: day(-3), limit: 1 });
    expect(first).toMatchObject([{ day: day(-5), dropped: true }]);
    await dropPartitions(test.db.pool, { table: "outbox_history", before: day(-3) });
    expect((await partitions("outbox_history"))[0]).toBe(named("outbox_history", -3));
  });

  it("keeps a day that an open operation needs", async () => {
    for (const offset of [-12, -11, -10]) {
      await addDay("idempotency_bodies", offset);
      await addDay("idempotency_events", offset);
    }
    await query(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint,
         fingerprint_version, api_version, state, body_day, created_at, updated_at, expires_at, purge_after)
       select 'acme', 'payments.create', 'k', '00000000-0000-7000-8000-000000000001', 'till', '\\x00', 1, '1',
         'UNKNOWN_REQUIRES_RECOVERY', at::date, at, at, at, at from (select $1::timestamptz as at) x`,
      [`${day(-11)}T12:00:00Z`],
    );
    await query(
      `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at)
       values ('acme', '00000000-0000-7000-8000-000000000001', 'payments.create', 'k', 1, now())`,
    );
    const bodies = await dropPartitions(test.db.pool, { table: "idempotency_bodies", before: day(-9) });
    expect(bodies.map((row) => row.dropped)).toEqual([true, false, true]);
    // Its history may be in any day since.
    const events = await dropPartitions(test.db.pool, { table: "idempotency_events", before: day(-9) });
    expect(events.map((row) => row.dropped)).toEqual([true, false, false]);
  });

  it("keeps a day of bodies that nobody purged: a tenant may keep its bodies longer than the deployment", async () => {
    for (const offset of [-22, -21]) await addDay("idempotency_bodies", offset);
    const id = "00000000-0000-7000-8000-000000000002";
    await query(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint,
         fingerprint_version, api_version, state, body_day, created_at, updated_at, expires_at, purge_after)
       select 'acme', 'payments.create', 'kept', $2, 'till', '\\x00', 1, '1', 'FAILED_RETRYABLE', at::date, at, at, at, at
       from (select $1::timestamptz as at) x`,
      [`${day(-21)}T12:00:00Z`, id],
    );
    await query(
      `insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, body, created_at)
       values ('acme', $1, $2, 'command', 1, '\\xff', now())`,
      [day(-21), id],
    );
    const drop = () => dropPartitions(test.db.pool, { table: "idempotency_bodies", before: day(-20) });
    expect((await drop()).map((row) => [row.day, row.dropped])).toEqual([
      [day(-22), true],
      [day(-21), false],
    ]);
    await query("update onceboard.idempotency_requests set body_purged_at = now() where operation_id = $1", [id]);
    expect((await drop()).map((row) => [row.day, row.dropped])).toEqual([[day(-21), true]]);
  });

  it("refuses today and what is to come, whoever asks", async () => {
    const ahead = dropPartitions(test.db.pool, { table: "idempotency_bodies", before: day(1) });
    await expect(ahead).rejects.toMatchObject({ code: "22023" });
    expect(await partitions("idempotency_bodies")).toContain(named("idempotency_bodies", 0));
  });

  it("refuses a table that is not by day", async () => {
    const wrong = dropPartitions(test.db.pool, { table: "payments" as TableByDay, before: day(0) });
    await expect(wrong).rejects.toMatchObject({ code: "22023" });
  });
});
