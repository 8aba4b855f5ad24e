import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.db.pool.query("insert into onceboard.tenants (id, name) values ('acme', 'Acme')");
  await append(300);
});
afterAll(() => test.drop());

async function append(entries: number): Promise<void> {
  await test.db.pool.query({
    text: `select onceboard.append_audit('acme', gen_random_uuid(), 'operator', 'op', 'Op', 'operations.resolve', 'operation', n::text,
             'why', null, '{}', null, 'req') from generate_series(1, $1::integer) n`,
    values: [entries],
  });
}
async function brokenAt(): Promise<bigint | null | undefined> {
  const { rows } = await test.db.pool.query<{ broken_at: bigint | null }>(
    "select broken_at from onceboard.verify_audit('acme')",
  );
  return rows[0]?.broken_at;
}

describe("the audit chain", () => {
  it("AUDIT-1 holds while entries are added during the walk", async () => {
    const writing = { on: true };
    const writer = (async () => {
      while (writing.on) await append(1);
    })();
    const seen = new Set<bigint | null | undefined>();
    for (let walk = 0; walk < 40; walk += 1) seen.add(await brokenAt());
    writing.on = false;
    await writer;
    expect([...seen]).toEqual([null]);
  });

  it("AUDIT-1 shows an end that was cut together with its head", async () => {
    await test.db.pool.query("delete from onceboard.audit_entries where sequence > 100");
    await test.db.pool.query("delete from onceboard.audit_heads");
    expect(await brokenAt()).toBe(101n);
  });
});
