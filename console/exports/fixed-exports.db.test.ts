import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import type { ExportFile } from "./export-file";
import { exportInbox, exportReplayOutcomes, exportRetryLog } from "./fixed-exports";

const ROWS = 2_500;
const OPERATION = "018f9b7e-1c2d-7e3f-8a9b-0c1d2e3f4a5b";
const ALL = { range: "all" } as const;
const SMALL = { pageRows: 7, maxRows: 100 };

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await desk.rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, body_day, created_at, updated_at, expires_at, purge_after)
     values ('acme', 'payments.create', 'storm', $1, 'till-web', '\\xabcdef', 1, '1', 'COMPLETED', current_date, now() - interval '1 day', now(), now(), now())`,
    OPERATION,
  );
  // Over midnight, and ten of them at each instant: only the id tells those apart.
  await desk.rows(
    `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client, status, code, delay_ms)
     select 'acme', (t.at at time zone 'utc')::date, ('018f9b7e-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, 'payments.create', t.at,
       'replayed', 'replayed', 'till-web', 201, 'n' || n, n
     from generate_series(1, $1) n, lateral (select now() - make_interval(secs => ($1 - n) / 10 * 200) as at) t`,
    ROWS,
    OPERATION,
  );
  // What belongs to others: another tenant, the console's own history, an event that answered nobody.
  await desk.rows(
    `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome)
     values ('globex', (now() at time zone 'utc')::date, gen_random_uuid(), $1, 'payments.create', now() - interval '1 minute', 'replayed', 'replayed'),
       ('acme', (now() at time zone 'utc')::date, gen_random_uuid(), gen_random_uuid(), 'admin.outbox.requeue', now() - interval '1 minute', 'executed', 'executed'),
       ('acme', (now() at time zone 'utc')::date, gen_random_uuid(), $1, 'payments.create', now() - interval '1 minute', 'taken_over', null)`,
    OPERATION,
  );
  await desk.rows("analyze");
});
afterAll(() => desk.close());

async function read({ chunks }: ExportFile): Promise<string[][]> {
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts
    .join("")
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(","));
}

describe("EXPORT-2 exports of many rows", () => {
  it("hold every answer once, in order of time, over pages and days", async () => {
    const rows = await read(await exportReplayOutcomes(desk.context("viewer"), ALL));
    expect(rows).toHaveLength(ROWS);
    expect(rows.every(([key, hash]) => key === "storm" && hash === "abcdef")).toBe(true);
    const log = await read(await exportRetryLog(desk.context("viewer"), { operationId: OPERATION }));
    expect(log.map(([attempt, , , , code]) => [attempt, code])).toEqual(
      Array.from({ length: ROWS }, (_, index) => [String(index + 1), `n${String(index + 1)}`]),
    );
    expect(log.slice(1).map(([, delay]) => delay)).toEqual(
      Array.from({ length: ROWS - 1 }, (_, index) => String(index + 2)),
    );
  });

  it("do not depend on the size of a page", async () => {
    const window = { range: "1h" } as const;
    const whole = await read(await exportReplayOutcomes(desk.context(), window));
    const paged = await read(await exportReplayOutcomes(desk.context(), window, { pageRows: 7, maxRows: 1_000 }));
    expect(whole.length).toBeGreaterThan(100);
    expect(paged).toEqual(whole);
  });

  it("are refused before the first byte when they are too many, and leave no entry then", async () => {
    const entries = () => desk.rows("select 1 from onceboard.audit_entries where action like 'exports.%'");
    const before = (await entries()).length;
    const message = "An export holds up to 100 rows. Ask for less: a shorter window, one operation, one consumer.";
    const refused = { code: "export.too_many_rows", status: 422, message, extensions: { maxRows: 100 } };
    await expect(exportReplayOutcomes(desk.context(), ALL, SMALL)).rejects.toMatchObject(refused);
    await expect(exportRetryLog(desk.context(), { key: "storm" }, SMALL)).rejects.toMatchObject(refused);
    expect(await entries()).toHaveLength(before);
    // Exactly as many as there may be.
    expect(await read(await exportReplayOutcomes(desk.context(), ALL, { pageRows: 500, maxRows: ROWS }))).toHaveLength(
      ROWS,
    );
  });

  it("of a retry log name the operations that a key stands for, where it stands for several", async () => {
    const one = await desk.make.completed();
    await desk.rows(
      `insert into onceboard.idempotency_requests select (jsonb_populate_record(r, jsonb_build_object('operation', 'refunds.create', 'operation_id', gen_random_uuid()))).*
       from onceboard.idempotency_requests r where operation_id = $1`,
      one.operationId,
    );
    await expect(exportRetryLog(desk.context(), { key: one.key })).rejects.toMatchObject({
      code: "validation.filter",
      message: expect.stringMatching(
        /^operation: name one of (payments\.create, refunds\.create|refunds\.create, payments\.create)\.$/,
      ) as string,
    });
    await desk.rows("delete from onceboard.idempotency_events where operation_id = $1", one.operationId);
  });

  it("end at their window, whatever arrives while they are read", async () => {
    const taken = await exportReplayOutcomes(desk.context(), ALL, { pageRows: 500, maxRows: 10_000 });
    await desk.rows(
      `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome)
       values ('acme', (clock_timestamp() at time zone 'utc')::date, 'ffffffff-0000-7000-8000-000000000000', $1, 'payments.create', clock_timestamp(), 'replayed', 'replayed')`,
      OPERATION,
    );
    expect(await read(taken)).toHaveLength(ROWS);
    await desk.rows("delete from onceboard.idempotency_events where id = 'ffffffff-0000-7000-8000-000000000000'");
  });

  it("read no page that nobody takes", async () => {
    const taken = await exportReplayOutcomes(desk.context(), ALL, { pageRows: 10, maxRows: 10_000 });
    const iterator = taken.chunks[Symbol.asyncIterator]();
    const header = await iterator.next();
    const page = await iterator.next();
    expect([String(header.value).split("\r\n").length, String(page.value).split("\r\n").length]).toEqual([2, 11]);
    await iterator.return?.();
    expect((await iterator.next()).done).toBe(true);
  });

  it("of an inbox have a row for each arrival and consumer", async () => {
    const { operationId } = await desk.make.inboxDuplicate();
    const messages = await desk.rows<{ message_id: string; consumer: string }>(
      "select message_id, consumer from onceboard.inbox_messages where operation_id = $1",
      operationId,
    );
    const rows = await read(await exportInbox(desk.context("viewer"), { ...ALL, messageId: messages[0]?.message_id }));
    expect(rows.map(([, , , , result]) => result)).toContain("replayed");
    expect(await read(await exportInbox(desk.context(), { ...ALL, consumer: "nobody" }))).toEqual([]);
  });

  it("need a role", async () => {
    const nobody = { ...desk.context(), actor: { kind: "system", id: "relay", name: "relay" } as const };
    for (const work of [
      exportReplayOutcomes(nobody, ALL),
      exportInbox(nobody, ALL),
      exportRetryLog(nobody, { operationId: OPERATION }),
    ])
      await expect(work).rejects.toMatchObject({ status: 403 });
  });
});
