import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";

const DAY = new URL("../../drizzle/0013_money_at_risk.sql", import.meta.url);
const MONTH = new URL("../../drizzle/0017_risk_week.sql", import.meta.url);
const UNKNOWN = "UNKNOWN_REQUIRES_RECOVERY";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** The statement that an existing database runs once, here over rows that the product left. */
async function fill(migration: URL): Promise<void> {
  const statement = readFileSync(migration, "utf8").split("--> statement-breakpoint").at(-1) ?? "";
  expect(statement).toContain("INSERT INTO");
  await desk.rows(statement);
}

async function happened(
  operationId: string,
  events: readonly (Pick<EventInsert, "type" | "at"> & Partial<EventInsert>)[],
) {
  const more = { tenantId: "acme", operationId, operation: "payments.create" };
  await recordEvents(
    desk.context().db.pool,
    events.map((event) => ({ ...more, id: uuidv7(), ...event })),
  );
}

it("keeps the doubts of the last day that ended before there was a table, as their events say", async () => {
  const asked = await desk.make.completed({ amountMinor: 700n });
  await happened(asked.operationId, [
    { type: "unknown", at: ago(60), outcome: "unknown", code: "dependency.timeout" },
    { type: "unknown", at: ago(58), outcome: "unknown", code: "idempotency.outcome_unknown" },
    { type: "reconciled", at: ago(50), detail: { from: UNKNOWN, to: UNKNOWN } },
    { type: "reconciled", at: ago(40), detail: { from: UNKNOWN, to: "COMPLETED" } },
  ]);
  const decided = await desk.make.completed({ amountMinor: 900n });
  await happened(decided.operationId, [
    { type: "reconciled", at: ago(30), detail: { from: "IN_PROGRESS", to: UNKNOWN } },
    { type: "resolved", at: ago(10), detail: { from: UNKNOWN, to: "COMPLETED" } },
  ]);
  const lasts = await desk.make.unknown({ minutes: 20 });
  await happened(lasts.operationId, [{ type: "reconciled", at: ago(5), detail: { from: UNKNOWN, to: UNKNOWN } }]);
  await desk.make.completed();
  await fill(DAY);
  await fill(DAY);
  const rows = await desk.rows<{ minor: string; since: number; until: number }>(
    `select amount_minor::text as minor, round(extract(epoch from now() - since) / 60)::int as since,
       round(extract(epoch from now() - until) / 60)::int as until from onceboard.settled_doubts order by amount_minor`,
  );
  expect(rows).toEqual([
    { minor: "700", since: 60, until: 40 },
    { minor: "900", since: 30, until: 10 },
  ]);
});

it("keeps those of a month, each once, also beside what the product wrote meanwhile", async () => {
  await desk.rows("truncate onceboard.settled_doubts");
  const yesterday = await desk.make.completed({ amountMinor: 1_100n });
  const day = 24 * 60;
  await happened(yesterday.operationId, [
    { type: "unknown", at: ago(day), outcome: "unknown", code: "dependency.timeout" },
    { type: "reconciled", at: ago(day - 20), detail: { from: UNKNOWN, to: "COMPLETED" } },
  ]);
  // The product kept this one with its own clock, a little apart from the event's.
  const kept = await desk.make.completed({ amountMinor: 1_300n });
  await happened(kept.operationId, [
    { type: "unknown", at: ago(30), outcome: "unknown", code: "dependency.timeout" },
    { type: "reconciled", at: ago(20), detail: { from: UNKNOWN, to: "COMPLETED" } },
  ]);
  await desk.rows(
    `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
     values ('acme', $1, 'payments.create', now() - interval '30 minutes 1 second', now() - interval '20 minutes', 1300, 'EUR')`,
    kept.operationId,
  );
  await fill(MONTH);
  await fill(MONTH);
  const rows = await desk.rows<{ minor: string; count: number }>(
    "select amount_minor::text as minor, count(*)::int as count from onceboard.settled_doubts where amount_minor in (1100, 1300) group by 1 order by 1",
  );
  expect(rows).toEqual([
    { minor: "1100", count: 1 },
    { minor: "1300", count: 1 },
  ]);
});
