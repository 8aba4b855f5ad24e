import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { purgeMetrics } from "@/db/retention/purge";
import { rollUp } from "./roll-up";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

const MINUTE = 60_000;
let env: EngineTestEnvironment;
/** A minute ten minutes ago: closed and settled. */
let minute: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  minute = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE;
  await env.rows(
    "truncate onceboard.outbox_history, onceboard.inbox_messages, onceboard.inbox_open, onceboard.inbox_batches, onceboard.message_attempts, onceboard.metric_messages, onceboard.metric_buckets",
  );
  await env.rows(
    "insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) values ($1, $2, now())",
    TENANT,
    new Date(minute - MINUTE),
  );
});

interface Published {
  readonly topic?: string;
  readonly lagMs?: number;
  readonly at?: number;
  readonly by?: string;
  readonly tenant?: string;
}

const published = ({
  topic = "payments",
  lagMs = 100,
  at = minute + 1_000,
  by = "relay-1",
  tenant = TENANT,
}: Published = {}) =>
  env.rows(
    `insert into onceboard.outbox_history (tenant_id, day, id, aggregate_type, aggregate_id, topic, type, payload, created_at, position, published_at, published_by, transport)
     select $1, ($4::timestamptz at time zone 'utc')::date, gen_random_uuid(), 'payment', 'p', $2, 'payment.succeeded', '{}',
       $4::timestamptz - make_interval(secs => $3 / 1000.0), 1, $4, $5, 'http'`,
    tenant,
    topic,
    lagMs,
    new Date(at),
    by,
  );
const processed = (consumer: string, lagMs: number, at = minute + 2_000) =>
  env.rows(
    `with done as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at, processed_at)
       select $1, gen_random_uuid(), $2, 'onceboard', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'processed',
         $4::timestamptz - make_interval(secs => $3 / 1000.0), $4 returning *)
     insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms)
     select tenant_id, processed_at, gen_random_uuid(), consumer, array[extract(epoch from processed_at - received_at) * 1000] from done`,
    TENANT,
    consumer,
    lagMs,
    new Date(at),
  );
const ended = (side: "outbox" | "inbox", place: string, outcome: "failed" | "dead" | "lost", at = minute + 3_000) =>
  env.rows(
    `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome)
     select $1, ($5::timestamptz at time zone 'utc')::date, gen_random_uuid(), $2, gen_random_uuid(), $3, 1, 1, $5, $4`,
    TENANT,
    side,
    place,
    outcome,
    new Date(at),
  );
const kept = () =>
  env.rows(
    `select side, place, succeeded, failed, dead, lag_p95_ms as p95, lag_max_ms::int as max from onceboard.metric_messages
     where tenant_id = $1 and bucket = $2 order by side, place`,
    TENANT,
    new Date(minute),
  );

/** The same, counted from the rows themselves by another way. */
const truth = () =>
  env.rows(
    `select p.side, p.place,
       (case p.side when 'outbox' then (select count(*) from onceboard.outbox_history h where h.tenant_id = $1 and h.topic = p.place
           and h.published_by <> 'operator' and date_trunc('minute', h.published_at) = $2)
         else (select count(*) from onceboard.inbox_messages i where i.tenant_id = $1 and i.consumer = p.place
           and i.state = 'processed' and date_trunc('minute', i.processed_at) = $2) end)::int as succeeded,
       (select count(*) from onceboard.message_attempts a where a.tenant_id = $1 and a.side = p.side and a.place = p.place
          and a.outcome in ('failed', 'lost') and date_trunc('minute', a.ended_at) = $2)::int as failed,
       (select count(*) from onceboard.message_attempts a where a.tenant_id = $1 and a.side = p.side and a.place = p.place
          and a.outcome = 'dead' and date_trunc('minute', a.ended_at) = $2)::int as dead
     from (values ('inbox', 'ledger'), ('inbox', 'receipts'), ('outbox', 'mail'), ('outbox', 'payments')) p(side, place) order by 1, 2`,
    TENANT,
    new Date(minute),
  );

describe("roll-up of messages (CHART-1)", () => {
  it("counts per topic and consumer what succeeded, failed and died, with the lag, as the rows themselves say", async () => {
    for (const lagMs of [100, 200, 300, 400]) await published({ lagMs });
    await published({ topic: "mail", lagMs: 5_000 });
    await processed("ledger", 20);
    await processed("ledger", 60);
    await ended("outbox", "payments", "failed");
    await ended("outbox", "payments", "lost");
    await ended("outbox", "payments", "dead");
    await ended("inbox", "receipts", "dead");
    // Another minute and another tenant.
    await published({ at: minute + MINUTE });
    await env.rows("insert into onceboard.tenants (id, name) values ('globex', 'Globex') on conflict do nothing");
    await published({ tenant: "globex" });
    await rollUp(env.context());
    const rows = await kept();
    expect(rows).toEqual([
      { side: "inbox", place: "ledger", succeeded: 2, failed: 0, dead: 0, p95: 58, max: 60 },
      { side: "inbox", place: "receipts", succeeded: 0, failed: 0, dead: 1, p95: null, max: null },
      { side: "outbox", place: "mail", succeeded: 1, failed: 0, dead: 0, p95: 5_000, max: 5_000 },
      { side: "outbox", place: "payments", succeeded: 4, failed: 2, dead: 1, p95: 385, max: 400 },
    ]);
    expect(rows).toMatchObject(await truth());
  });

  it("does not count what a person closed: nothing was sent then", async () => {
    await published({ by: "operator", lagMs: 86_400_000 });
    await rollUp(env.context());
    expect(await kept()).toEqual([]);
  });

  it("recomputes a minute that had not settled, so a message whose transaction was slow is counted once", async () => {
    await published();
    await rollUp(env.context());
    expect(await kept()).toMatchObject([{ succeeded: 1 }]);
    await env.rows(
      "update onceboard.metric_buckets set computed_at = bucket + interval '65 seconds' where tenant_id = $1 and bucket = $2",
      TENANT,
      new Date(minute),
    );
    await published({ lagMs: 900 });
    await rollUp(env.context());
    expect(await kept()).toMatchObject([{ succeeded: 2, max: 900 }]);
    await rollUp(env.context());
    expect(await kept()).toMatchObject([{ succeeded: 2 }]);
  });

  it("two workers at once leave the same rows", async () => {
    await published();
    await processed("ledger", 10);
    await Promise.all([rollUp(env.context()), rollUp(env.context({ instance: "test-2" }))]);
    expect(await kept()).toMatchObject([{ succeeded: 1 }, { succeeded: 1 }]);
  });

  it("deletes minutes past their retention, some at a time, of every place, and nothing else", async () => {
    await env.rows(
      `insert into onceboard.metric_messages (tenant_id, bucket, side, place, succeeded, failed, dead)
       select $1, date_trunc('minute', now()) - make_interval(days => d), s, 'place-' || p, 1, 0, 0
       from unnest(array[1, 40, 50]) d, unnest(array['inbox', 'outbox']) s, generate_series(1, 3) p`,
      TENANT,
    );
    await purgeMetrics(env.db.pool, TENANT, 31, 5);
    const left = () =>
      env.rows<{ n: number; old: number }>(
        "select count(*)::int as n, (count(*) filter (where bucket < now() - interval '31 days'))::int as old from onceboard.metric_messages where tenant_id = $1",
        TENANT,
      );
    expect(await left()).toEqual([{ n: 13, old: 7 }]);
    await purgeMetrics(env.db.pool, TENANT, 31, 100);
    expect(await left()).toEqual([{ n: 6, old: 0 }]);
  });
});
