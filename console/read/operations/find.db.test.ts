import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { findByAmount, findById, findByRequest, findByText, findByTrace } from "@/db/operations/find-targets";
import type { MadeOperation } from "@/db/testing/factories/made-operation";
import { inTransaction } from "@/db/transaction";
import { readQuery } from "@/presentation/list/find-query";
import { audit } from "@/engine/actions/audit";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { find } from "./find";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const REQUEST = uuidv7();

let desk: Desk;
let made: MadeOperation;
let dead: MadeOperation & { readonly messageId: string };
let planId: string;
let auditId: string;

beforeAll(async () => {
  desk = await openDesk();
  made = await desk.make.completed({ amountMinor: 123_450n, reference: "order-1" });
  dead = await desk.make.outboxDead({ amountMinor: 77n });
  planId = uuidv7();
  const ctx = desk.context();
  auditId = await inTransaction(ctx.db, (tx) =>
    audit({ ...ctx, requestId: uuidv7() }, tx, { action: "outbox.discard", subject: { type: "outbox", id: "x" } }),
  );
  await desk.rows(
    "insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by) values ('acme', $1, 'requeue_dead_letters', 'ready', '{}', 'x', 4, 'mira')",
    planId,
  );
  await desk.rows(
    "insert into payments.accounts (tenant_id, id, operation_id, currency, default_currency) values ('acme', 'acc_find', $1, 'EUR', 'EUR')",
    made.operationId,
  );
  await desk.rows(
    "insert into onceboard.api_clients (tenant_id, id, name, scopes) values ('acme', 'cl_1', 'till-web', '{payments}')",
  );
  await desk.rows(
    "update onceboard.outbox_history set headers = headers || jsonb_build_object('traceparent', '00-' || $2 || '-00f067aa0ba902b7-01') where operation_id = $1",
    made.operationId,
    TRACE,
  );
  await desk.rows(
    "update onceboard.idempotency_events set request_id = $2 where operation_id = $1 and outcome = 'executed'",
    made.operationId,
    REQUEST,
  );
});
afterAll(() => desk.close());

const one = async (text: string, ...values: unknown[]): Promise<string> =>
  (await desk.rows<{ id: string }>(text, ...values))[0]?.id ?? "none";
async function hits(q: string): Promise<readonly { readonly matched: string; readonly href: string }[]> {
  const view = await find(desk.context("viewer"), { q });
  return view.kind === "found" ? view.targets.map(({ matched, href }) => ({ matched, href })) : [];
}

describe("LIST-4 one box finds every kind of name", () => {
  it.each<[string, () => string | Promise<string>, () => string]>([
    ["key", () => made.key, () => `/operations/${made.operationId}`],
    ["key", () => `"${made.key}"`, () => `/operations/${made.operationId}`],
    ["operation", () => made.operationId.toUpperCase(), () => `/operations/${made.operationId}`],
    ["payment", () => made.paymentId, () => `/operations/${made.operationId}`],
    ["reference", () => "order-1", () => "/references/order-1"],
    ["provider key", () => made.providerKey, () => `/operations/${made.operationId}`],
    ["provider reference", () => `np_${made.paymentId.slice(-8)}`, () => `/operations/${made.operationId}`],
    ["request", () => REQUEST, () => `/operations/${made.operationId}`],
    ["trace", () => TRACE, () => `/operations/${made.operationId}`],
    ["trace", () => `00-${TRACE}-00f067aa0ba902b7-01`, () => `/operations/${made.operationId}`],
    [
      "ledger entry",
      () => one("select id from payments.ledger_entries where operation_id = $1", made.operationId),
      () => `/operations/${made.operationId}`,
    ],
    [
      "provider call",
      () => one("select id from onceboard.provider_requests where operation_id = $1", made.operationId),
      () => `/operations/${made.operationId}`,
    ],
    [
      "event",
      () =>
        one(
          "select id from onceboard.idempotency_events where operation_id = $1 and outcome = 'executed'",
          made.operationId,
        ),
      () => `/operations/${made.operationId}`,
    ],
    ["outbox message", () => dead.messageId, () => `/outbox/${dead.messageId}`],
    [
      "dead letter",
      () => one("select id from onceboard.dead_letters where message_row_id = $1", dead.messageId),
      () => `/outbox/${dead.messageId}`,
    ],
    ["plan", () => planId, () => `/plans/${planId}`],
    ["audit entry", () => auditId, () => `/audit?open=${auditId}`],
    [
      "audit entry",
      () => one("select request_id as id from onceboard.audit_entries where id = $1", auditId),
      () => `/audit?open=${auditId}`,
    ],
    ["account", () => "acc_find", () => "/operations?range=all&account=acc_find"],
    ["client", () => "till-web", () => "/clients/till-web"],
    ["client", () => "cl_1", () => "/clients/till-web"],
    ["amount", () => "1,234.50 EUR", () => `/operations/${made.operationId}`],
    ["amount", () => "€1,234.50", () => `/operations/${made.operationId}`],
  ])("%s", async (matched, query, href) => {
    expect(await hits(await query())).toEqual([{ matched, href: href() }]);
  });

  it("a message id of the inbox leads to each consumer that has it", async () => {
    const id = await one(
      "select message_id as id from onceboard.inbox_messages where operation_id = $1",
      made.operationId,
    );
    const found = await hits(id);
    expect(found.map(({ matched }) => matched).sort()).toEqual(["inbox message", "outbox message"]);
  });

  it("finds nothing of another tenant, another currency, half a name or another moment", async () => {
    for (const q of ["1,234.50 USD", made.key.slice(0, -1), "order-", uuidv7(), TRACE.replace("4", "5")])
      expect(await hits(q), q).toEqual([]);
    expect(await find(desk.context("viewer", "globex"), { q: made.key })).toMatchObject({ targets: [] });
  });

  it("reads a trace id inside its header, and takes no id for a trace", () => {
    expect(readQuery(`00-${TRACE}-00f067aa0ba902b7-01`).trace).toBe(TRACE);
    expect(readQuery(made.operationId).trace).toBeUndefined();
    expect(readQuery("4bf92f").trace).toBeUndefined();
  });
});

describe("a hit says what became of it", () => {
  const hit = async (q: string) => {
    const view = await find(desk.context("viewer"), { q });
    return view.kind === "found" ? view.targets[0] : undefined;
  };
  const createdAt = (id: string) =>
    one(
      "select to_char(created_at at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS') as id from onceboard.idempotency_requests where operation_id = $1",
      id,
    );

  it("state, time, amount and verdict of an operation, under whatever name it was found", async () => {
    for (const q of [made.key, made.operationId, "€1,234.50"]) {
      const found = await hit(q);
      expect(found, q).toMatchObject({
        state: "COMPLETED",
        money: { display: "€1,234.50" },
        verdict: { text: "Ledger posted.", tone: "fine" },
      });
      expect(found?.at, q).toContain(await createdAt(made.operationId));
    }
  });

  it("a doubt for as long as it lasts, and a message that is dead", async () => {
    const unknown = await desk.make.unknown({ amountMinor: 5_000n });
    await desk.rows(
      "update onceboard.idempotency_open set unknown_since = now() - interval '41 minutes 5 seconds' where operation_id = $1",
      unknown.operationId,
    );
    expect(await hit(unknown.key)).toMatchObject({
      state: "UNKNOWN_REQUIRES_RECOVERY",
      verdict: { text: "In doubt for 41 minutes.", tone: "doubt" },
    });
    expect(await hit(dead.key)).toMatchObject({
      state: "COMPLETED",
      verdict: { text: "Its message is dead. Ledger not posted.", tone: "broken" },
    });
  });

  it("the state and the time of a message or a plan, not those of its operation", async () => {
    expect(await hit(dead.messageId)).toMatchObject({ matched: "outbox message", state: "dead" });
    expect((await hit(dead.messageId))?.verdict).toBeUndefined();
    expect((await hit(dead.messageId))?.at).toBeDefined();
    const plan = await hit(planId);
    expect(plan).toMatchObject({ matched: "plan", state: "ready" });
    expect(plan?.money).toBeUndefined();
    expect((await hit(auditId))?.at).toBeDefined();
    expect((await hit(auditId))?.state).toBeUndefined();
  });
});

describe("LIST-4 each look-up is a probe of an index", () => {
  it("no big table is read in sequence", async () => {
    await desk.rows(`insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint,
        fingerprint_version, api_version, state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
      select 'acme', 'payments.create', 'bulk-' || n, gen_random_uuid(), 'till', '\\x00', 1, '1', 'COMPLETED', current_date, n, 'EUR',
        now(), now(), now() + interval '1 day', now() + interval '9 days' from generate_series(1, 5000) n`);
    await desk.rows(`insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence,
        outcome, provider_reference)
      select 'acme', gen_random_uuid(), gen_random_uuid(), 'bulk-' || n, 'sandbox', 'charge', 'answered', 1, 'succeeded', 'np_bulk_' || n
      from generate_series(1, 5000) n`);
    await desk.rows(`insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers,
        created_at, day, position, published_at)
      select 'acme', gen_random_uuid(), 'payment', 'p', 'payments', 't', '{}', jsonb_build_object('traceparent', '00-' || md5(n::text) || '-1-01'),
        now(), (now() at time zone 'utc')::date, -n, now() from generate_series(1, 5000) n`);
    await desk.rows(`insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, request_id)
      select 'acme', (now() at time zone 'utc')::date, gen_random_uuid(), gen_random_uuid(), 'payments.create', now(), 'claimed', 'r' || n
      from generate_series(1, 5000) n`);
    for (const table of ["idempotency_requests", "provider_requests", "outbox_history", "idempotency_events"])
      await desk.rows(`analyze onceboard.${table}`);
    const plans: string[] = [];
    const explain = {
      query: async ({ text, values }: { text: string; values: unknown[] }) => {
        const rows = await desk.rows<Record<string, string>>(`explain ${text}`, ...values);
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return { rows: [] };
      },
    } as unknown as Parameters<typeof findById>[0];
    await findById(explain, "acme", uuidv7());
    await findByText(explain, "acme", "bulk-77");
    await findByRequest(explain, "acme", uuidv7(), new Date());
    await findByTrace(explain, "acme", TRACE);
    await findByAmount(explain, "acme", "77", undefined);
    expect(plans).toHaveLength(5);
    // The days of a table without rows are read whole, which is nothing.
    const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const big = new RegExp(`Seq Scan on (idempotency_requests|provider_requests|\\w+_?${today})`);
    for (const plan of plans) expect(plan).not.toMatch(big);
    expect(plans.join()).toContain(today);
  });
});
