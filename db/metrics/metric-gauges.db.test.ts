import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "../client";
import { recordStatements } from "../testing/record-statements";
import { explainStatement, nodesOf, touchedBy } from "../testing/statement-plan";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { GAUGE_COUNTED, selectMetricGauges } from "./metric-gauges";

let test: TestDatabase;
const rows = (text: string, ...values: unknown[]) => test.db.pool.query({ text, values });

beforeAll(async () => {
  test = await createTestDatabase();
  await rows("insert into onceboard.tenants (id, name) values ('one', 'One'), ('two', 'Two') on conflict do nothing");
});
afterAll(() => test.drop());

/** Messages of both sides; the oldest came so many minutes ago. */
async function wait(tenant: string, count: number, minutes: number): Promise<void> {
  await rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
     select $1, gen_random_uuid(), 'payment', 'pay_' || n, 'payments', 'payment.succeeded', '{}', now() - make_interval(mins => $3::int) * n / $2::int, now()
     from generate_series(1, $2::int) n`,
    ...[tenant, count, minutes],
  );
  await rows(
    `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
     select $1, gen_random_uuid(), 'ledger', now() - make_interval(mins => $3::int) * n / $2::int, now() from generate_series(1, $2::int) n`,
    ...[tenant, count, minutes],
  );
}

const sample = (tenant: string, minutesAgo: number, waiting: number, oldestSeconds: number) =>
  rows(
    `insert into onceboard.metric_gauges (tenant_id, bucket, name, value)
     select $1, date_trunc('minute', now()) - make_interval(mins => $2::int), g.name, g.value
     from (values ('outbox_pending', $3::float8), ('inbox_recorded', $3), ('outbox_oldest_seconds', $4::float8), ('inbox_oldest_seconds', $4)) g(name, value)`,
    ...[tenant, minutesAgo, waiting, oldestSeconds],
  );

it("gauges of what waits are exact while few wait, are what workers sampled beside a backlog, and read no more than their bound", async () => {
  await wait("one", 100, 20);
  await wait("two", 50, 10);
  await sample("one", 1, 7_000_000, 90_000);
  const few = await selectMetricGauges(test.db.pool);
  expect([few.outbox_pending, few.inbox_waiting]).toEqual([150, 150]);
  for (const age of [few.outbox_oldest_s, few.inbox_oldest_s]) {
    expect(age).toBeGreaterThanOrEqual(20 * 60);
    expect(age).toBeLessThan(25 * 60);
  }

  // Behind the first of the other tenant, so that no look at the front finds it.
  await wait("one", 2 * GAUGE_COUNTED, 15);
  await wait("two", 50, 40);
  await rows("analyze onceboard.outbox_messages, onceboard.inbox_open");
  await rows("delete from onceboard.metric_gauges");
  const alone = await selectMetricGauges(test.db.pool);
  expect([alone.outbox_pending, alone.inbox_waiting]).toEqual([GAUGE_COUNTED, GAUGE_COUNTED]);
  expect(alone.outbox_oldest_s).toBeGreaterThanOrEqual(14 * 60);

  await sample("one", 0, 2 * GAUGE_COUNTED + 100, 1_200);
  await sample("one", 1, 1, 1);
  await sample("two", 1, 100, 2_400);
  // Too old to say anything of now.
  await sample("two", 9, 9_000_000, 99_000);
  const recorded = createDatabase({ url: test.url, max: 1 });
  const taken = recordStatements(recorded);
  const many = await selectMetricGauges(recorded.pool);
  await recorded.close();
  expect([many.outbox_pending, many.inbox_waiting]).toEqual([2 * GAUGE_COUNTED + 200, 2 * GAUGE_COUNTED + 200]);
  expect([many.outbox_oldest_s, many.inbox_oldest_s]).toEqual([2_400, 2_400]);
  const [statement] = taken();
  if (statement === undefined) throw new Error("no statement was recorded");
  for (const table of ["outbox_messages", "inbox_open"]) {
    const nodes = nodesOf(await explainStatement(test.db, statement)).filter((node) => node["Relation Name"] === table);
    const touched = nodes.reduce((sum, node) => sum + touchedBy(node), 0);
    expect(touched, table).toBe(GAUGE_COUNTED);
  }
});
