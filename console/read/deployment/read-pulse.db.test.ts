import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillLists } from "@/console/testing/fill-lists";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { selectOpenCounts } from "@/db/metrics/counts";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { navCountText } from "@/presentation/metrics/live-status";
import { openParts, readLiveStatus } from "./read-live-status";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const markOf = async (page: string): Promise<string> => (await readLiveStatus(desk.context(), { page })).mark;

it("marks one operation anew when it is answered again, and no other page for that", async () => {
  const { operationId } = await desk.make.completed();
  const other = await desk.make.completed();
  const before = {
    one: await markOf(`operations/${operationId}`),
    other: await markOf(`operations/${other.operationId}`),
  };
  expect(await markOf(`operations/${operationId}`)).toBe(before.one);
  await desk.rows(
    `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome)
values ('acme', (now() at time zone 'utc')::date, $1, $2, 'payments.create', clock_timestamp(), 'replayed', 'replayed')`,
    randomUUID(),
    operationId,
  );
  expect(await markOf(`operations/${operationId}`)).not.toBe(before.one);
  expect(await markOf(`operations/${other.operationId}`)).toBe(before.other);
});

it("takes an address that names no operation", async () => {
  expect(await markOf("operations/nonsense")).toBe(await markOf("operations"));
});

it.each(["operations", "conflicts", "attention", "outbox", "inbox", "dead-letters", "plans", "audit"])(
  "counts what came to the list of %s after the rows on the screen, and nothing before (UI-1)",
  async (page) => {
    const lists = await openDesk();
    try {
      await fillLists(lists);
      const status = async (since: string) => (await readLiveStatus(lists.context(), { page, since })).newer;
      expect(await status(new Date(Date.now() + 60_000).toISOString())).toBe(0);
      expect(await status("2020-01-01T00:00:00Z")).toBe(100);
      expect(
        (await readLiveStatus(lists.context("operator", "globex"), { page, since: "2020-01-01T00:00:00Z" })).newer,
      ).toBe(0);
    } finally {
      await lists.close();
    }
  },
);

it("marks one operation anew when a message of it was tried in vain", async () => {
  const { operationId } = await desk.make.completed();
  await desk.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, created_at, state, next_attempt_at)
values ('acme', gen_random_uuid(), $1, 'payment', 'pay-1', 'payments', 'payment.succeeded', '{}', now(), 'pending', now())`,
    operationId,
  );
  const before = await markOf(`operations/${operationId}`);
  await desk.rows("update onceboard.outbox_messages set attempts_finished = 1 where operation_id = $1", operationId);
  expect(await markOf(`operations/${operationId}`)).not.toBe(before);
});

it("marks a page anew every ten seconds where what waits is not all counted, and never for that where it is", async () => {
  const quiet = await openDesk();
  try {
    const counts = await selectOpenCounts(quiet.context().db.pool, "acme");
    const marks = (inboxRecorded: number, ...times: string[]) =>
      new Set(times.map((time) => JSON.stringify(openParts({ ...counts, inboxRecorded, at: `2026-12-01T${time}Z` }))));
    const many = marks(WAITING_COUNTED, "13:29:10.000001", "13:29:19.999999", "13:29:20.000000");
    expect(many.size).toBe(2);
    expect(marks(WAITING_COUNTED - 1, "13:29:10.000001", "14:00:00.000000").size).toBe(1);
  } finally {
    await quiet.close();
  }
});

it("counts what waits up to 10,000", async () => {
  const many = await openDesk();
  try {
    const arrive = (count: number) =>
      many.rows(
        `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
         select 'acme', gen_random_uuid(), 'ledger', now(), now() from generate_series(1, $1::int)`,
        count,
      );
    const counted = async () => (await readLiveStatus(many.context(), { page: "operations" })).counts.inbox ?? 0;
    await arrive(9_999);
    expect(navCountText("inbox", await counted())).toBe("9,999");
    await arrive(1);
    expect(navCountText("inbox", await counted())).toBe("10,000+");
    await arrive(1);
    expect(navCountText("inbox", await counted())).toBe("10,000+");
  } finally {
    await many.close();
  }
});
