import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { purgeClientMetrics, purgeRecords } from "@/db/retention/purge";
import { retain } from "./retain";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() =>
  env.rows(
    "truncate onceboard.dead_letters, onceboard.notifications, onceboard.plans, onceboard.plan_items, onceboard.metric_clients, onceboard.metric_refusals",
  ),
);
const count = async (table: string, where = "true") =>
  (await env.rows<{ n: number }>(`select count(*)::int as n from onceboard.${table} where ${where}`))[0]?.n;
const KEPT = { metadataDays: 30, planDays: 90 };

describe("retain, our own books (RETENTION-6)", () => {
  it("deletes settled dead letters after the metadata's time, in batches, never an open one", async () => {
    await env.rows(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settlement)
       select $1, gen_random_uuid(), 'inbox', gen_random_uuid(), 'p', 't', 'f', 'c', 'e', 1, now() - make_interval(days => d), case when s then now() - make_interval(days => d - 1) end, case when s then 'requeued' end
       from (values (40, true), (41, true), (42, true), (20, true), (90, false)) v(d, s)`,
      TENANT,
    );
    expect(await purgeRecords(env.db.pool, TENANT, KEPT, 2)).toBe(2);
    expect(await purgeRecords(env.db.pool, TENANT, KEPT, 2)).toBe(1);
    expect(await count("dead_letters", "settled_at is null")).toBe(1);
    expect(await count("dead_letters")).toBe(2);
  });

  it("deletes notifications that went out, never one that waits", async () => {
    await env.rows(
      `insert into onceboard.notifications (tenant_id, id, notification_key, kind, detail, state, created_at)
       select $1, overlay(overlay(md5(d::text || s) placing lpad(to_hex((extract(epoch from now() - make_interval(days => d)) * 1000)::bigint), 12, '0') from 1) placing '7' from 13)::uuid,
         d || s, 'receipt', '{}', s, now() - make_interval(days => d)
       from (values (40, 'sent'), (41, 'skipped'), (42, 'pending'), (2, 'sent')) v(d, s)`,
      TENANT,
    );
    expect(await purgeRecords(env.db.pool, TENANT, KEPT, 10)).toBe(2);
    expect(await env.rows("select state from onceboard.notifications order by state")).toEqual([
      { state: "pending" },
      { state: "sent" },
    ]);
  });

  it("deletes plans 90 days after their end with all their rows, never one that may still run", async () => {
    await env.rows(
      `with p as (insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by, created_at, ended_at)
         select $1, gen_random_uuid(), 'k', s, '{}', s || d, 3, 'm', now() - make_interval(days => d), case when s in ('done', 'aborted') then now() - make_interval(days => d - 1) end
         from (values (100, 'done'), (100, 'rejected'), (100, 'ready'), (100, 'running'), (90, 'aborted')) v(d, s) returning id)
       insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason)
       select $1, p.id, n, gen_random_uuid(), '{}', 'safe', '' from p, generate_series(1, 3) n`,
      TENANT,
    );
    await purgeRecords(env.db.pool, TENANT, KEPT, 4);
    expect(await count("plan_items")).toBe(11);
    for (let round = 0; round < 3; round += 1) await purgeRecords(env.db.pool, TENANT, KEPT, 4);
    expect(await env.rows("select reason from onceboard.plans order by 1")).toEqual([
      { reason: "aborted90" },
      { reason: "ready100" },
      { reason: "running100" },
    ]);
    expect(await count("plan_items")).toBe(9);
    await expect(purgeRecords(env.db.pool, TENANT, { ...KEPT, planDays: 0 }, 4)).rejects.toThrow("younger than a day");
  });

  it("deletes hours of report cards that no chart reaches any more", async () => {
    for (const days of [399, 401, 402]) {
      await env.rows(
        `insert into onceboard.metric_clients (tenant_id, bucket, client, measure, count, sum)
         select $1, now() - make_interval(days => $2), c, 'again', 1, 1 from unnest('{a,b}'::text[]) c`,
        TENANT,
        days,
      );
      await env.rows(
        "insert into onceboard.metric_refusals (tenant_id, bucket, client, code, count) values ($1, now() - make_interval(days => $2), 'a', 'x', 1)",
        TENANT,
        days,
      );
    }
    expect(await purgeClientMetrics(env.db.pool, TENANT, 400, 1)).toBe(2);
    await retain(env.context(), new Map());
    expect(await count("metric_clients")).toBe(2);
    expect(await count("metric_refusals")).toBe(1);
  });
});
