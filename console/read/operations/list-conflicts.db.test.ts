import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conflictsSource } from "@/console/exports/lists/records-source";
import { parseConflictFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { listConflicts } from "./list-conflicts";
import { readLiveStatus } from "../deployment/read-live-status";

const MINUTE_MS = 60_000;
let desk: Desk;
/** A whole minute of today or, shortly after midnight, of yesterday. */
let minute: number;

beforeAll(async () => {
  desk = await openDesk();
  const { operationId } = await desk.make.completed();
  minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
  const last = minute + MINUTE_MS - 1;
  for (const [client, operation, at, field] of [
    ["till-web", "payments.create", minute - 1, "amount"],
    ["till-web", "payments.create", minute, "amount"],
    ["till-web", "payments.create", last, "currency"],
    ["till-web", "refunds.create", last, "amount"],
    ["cron", "payments.create", last, "amount"],
    ["till-web", "admin.requeue", last, "amount"],
    ["till-web", "payments.create", minute + MINUTE_MS, "channel"],
  ] as const)
    await desk.rows(
      `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client, status, detail)
select 'acme', (t.at at time zone 'utc')::date, gen_random_uuid(), $1, $2, t.at, 'conflict', 'conflict', $3, 409, jsonb_build_object('differingFields', array[$4::text])
from (select to_timestamp($5::double precision / 1000) as at) t`,
      operationId,
      operation,
      client,
      field,
      at,
    );
});
afterAll(() => desk.close());

const iso = (ms: number): string => new Date(ms).toISOString();
const list = async (search: SearchInput) => {
  const { filters, problems } = parseConflictFilters(search);
  expect(problems).toEqual([]);
  return listConflicts(desk.context("viewer"), filters);
};
const counts = async (search: SearchInput) =>
  (await list(search)).groups.map(({ client, operation, count }) => `${client} ${operation} ${String(count)}`).sort();

describe("CONFLICT-6 conflicts of a window", () => {
  const point = (): SearchInput => ({ from: iso(minute), to: iso(minute + MINUTE_MS) });

  it("are exactly those of its minute, whoever's they are; the console's own stay out", async () => {
    expect(await counts(point())).toEqual([
      "cron payments.create 1",
      "till-web payments.create 2",
      "till-web refunds.create 1",
    ]);
    expect(await list(point())).toMatchObject({ total: 4, more: false });
    expect(await counts({ ...point(), client: "till-web", operation: "payments.create" })).toEqual([
      "till-web payments.create 2",
    ]);
    expect(await counts({ to: iso(minute) })).toEqual(["till-web payments.create 1"]);
    expect(await counts({ from: iso(minute + MINUTE_MS), to: iso(minute) })).toEqual([]);
  });

  it("are drawn over it, with every field that differs", async () => {
    const [group] = (await list({ ...point(), client: "till-web" })).groups;
    expect(group?.spark).toHaveLength(24);
    expect([group?.spark[0], group?.spark[23]]).toEqual([1, 1]);
    expect(group).toMatchObject({
      differingFields: ["amount", "currency"],
      firstAt: expect.stringContaining("T") as unknown,
    });
    expect((await list({})).groups[0]?.spark.at(-1)).toBe(4);
  });

  it("are the same rows in an export", async () => {
    const source = conflictsSource("acme", parseConflictFilters(point()).filters);
    const ctx = desk.context();
    const page = { limit: 50, direction: "desc" } as const;
    const rows = await source.read(ctx.db.pool, page, undefined, await ctx.kinds.all());
    expect(rows.map(({ record }) => `${record.client} ${record.operation}`).sort()).toEqual([
      "cron payments.create",
      "till-web payments.create",
      "till-web payments.create",
      "till-web refunds.create",
    ]);
  });

  it("have nothing newer once the window is over", async () => {
    const newer = async (until?: string) =>
      (await readLiveStatus(desk.context(), { page: "conflicts", since: iso(minute - 1), until })).newer;
    expect(await newer()).toBe(5);
    expect(await newer(iso(minute + MINUTE_MS))).toBe(4);
    expect(await newer(iso(minute - 1))).toBe(0);
  });
});
