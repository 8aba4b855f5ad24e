import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  parseAuditFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
} from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import type { MadeOperation } from "@/db/testing/factories/made-operation";
import { runInvariants } from "@/console/invariants/run-invariants";
import { find } from "./operations/find";
import { listAttention } from "./operations/list-attention";
import { listAudit } from "./access/list-audit";
import { listConflicts } from "./operations/list-conflicts";
import { listDeadLetters } from "./messages/list-dead-letters";
import { listInbox, listOutbox } from "./messages/list-messages";
import { listOperations } from "./operations/list-operations";
import { readConflict } from "./operations/read-conflict";
import { readCounts } from "./deployment/read-counts";
import { readInboxMessage, readOutboxMessage } from "./messages/read-message";
import { readOperation } from "./operations/read-operation";
import { readOwningTenant } from "./operations/read-owning-tenant";
import { readOverview } from "./deployment/read-overview";
import { readLiveStatus } from "./deployment/read-live-status";
import { readRetention } from "./deployment/read-retention";
import { readSettings } from "./access/read-settings";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { verifyAudit } from "./access/verify-audit";

let desk: Desk;
let completed: MadeOperation;
let unknown: MadeOperation;
let conflict: MadeOperation & { eventId: string };
let dead: MadeOperation & { messageId: string };
let duplicate: MadeOperation & { inboxId: string };

beforeAll(async () => {
  desk = await openDesk();
  completed = await desk.make.completed({ replays: 2 });
  unknown = await desk.make.unknown({ amountMinor: 1_248_000n, webhook: "succeeded", reference: "order-88213" });
  conflict = await desk.make.withConflict({ amountMinor: 4_000n, client: "partner-lumen" });
  dead = await desk.make.outboxDead();
  duplicate = await desk.make.inboxDuplicate();
  await desk.make.inProgress();
  await desk.make.stale();
  await desk.make.failedReplayable();
  await desk.make.failedRetryable();
  await desk.make.expired();
});
afterAll(() => desk.close());

async function list(search: SearchInput, cursor?: string) {
  const view = await listOperations(desk.context(), { filters: parseOperationFilters(search).filters, cursor });
  if (view.kind !== "page") throw new Error("too broad");
  return view;
}

describe("operations", () => {
  it("lists every state with its answers and its chain", async () => {
    const page = await list({});
    expect(page.rows).toHaveLength(10);
    const row = page.rows.find((each) => each.operationId === completed.operationId);
    expect(row).toMatchObject({
      state: "COMPLETED",
      kind: "Payment",
      client: "till-web",
      answers: { answers: ["executed", "replayed", "replayed"], total: 3 },
    });
    expect(row?.chain).toEqual(["done", "done", "done", "done", "done", "done"]);
    expect(row?.money?.display).toBe("€42.00");
    expect(page.rows.find((each) => each.operationId === unknown.operationId)?.chain).toEqual([
      "done",
      "done",
      "unknown",
      "missing",
      "missing",
      "missing",
    ]);
    expect(page.rows.find((each) => each.operationId === dead.operationId)?.chain).toEqual([
      "done",
      "done",
      "done",
      "dead",
      "missing",
      "missing",
    ]);
    expect(page.next).toBeUndefined();
  });
  it.each(["IN_PROGRESS", "STALE", "UNKNOWN_REQUIRES_RECOVERY", "FAILED_REPLAYABLE", "FAILED_RETRYABLE", "EXPIRED"])(
    "filters by %s",
    async (state) => {
      const page = await list({ state });
      expect(page.rows.map((row) => row.state)).toEqual([state]);
    },
  );
  it("leaves the console's own actions out unless they are asked for", async () => {
    const own = await desk.make.completed({ operation: "admin.operations.resolve" });
    const ids = async (search: SearchInput) => (await list(search)).rows.map((row) => row.operationId);
    expect(await ids({})).not.toContain(own.operationId);
    expect(await ids({ operation: "admin." })).toEqual([own.operationId]);
    expect(await ids({ operation: "admin.operations.resolve" })).toEqual([own.operationId]);
    expect(await ids({ key: own.key })).toEqual([own.operationId]);
  });
  it("filters by amount, client, attention and account", async () => {
    expect((await list({ min: "12480.00" })).rows.map((row) => row.operationId)).toEqual([unknown.operationId]);
    expect((await list({ client: "partner-lumen" })).rows).toHaveLength(1);
    expect((await list({ client: "!till-web" })).rows).toHaveLength(1);
    expect((await list({ attention: "true" })).rows.map((row) => row.state).sort()).toEqual([
      "STALE",
      "UNKNOWN_REQUIRES_RECOVERY",
    ]);
    expect((await list({ account: "nobody" })).rows).toEqual([]);
    expect((await list({ sort: "amount" })).rows[0]?.operationId).toBe(unknown.operationId);
  });
  it("shows nothing of another tenant", async () => {
    const view = await listOperations(desk.context("viewer", "globex"), { filters: parseOperationFilters({}).filters });
    expect(view).toMatchObject({ kind: "page", rows: [] });
    expect(
      await readOperation(desk.context("viewer", "globex"), { operationId: completed.operationId }),
    ).toBeUndefined();
  });
  it("counts what is open exactly", async () => {
    expect(await readCounts(desk.context())).toMatchObject({
      IN_PROGRESS: { value: 1, kind: "exact" },
      STALE: { value: 1 },
      UNKNOWN_REQUIRES_RECOVERY: { value: 1 },
    });
  });
});

describe("one operation", () => {
  it("proves a completed one", async () => {
    const detail = await readOperation(desk.context(), { operationId: completed.operationId });
    expect(detail?.verdict.text).toBe("Executed once. Answered 3 times, all byte-equal. Ledger posted.");
    expect(detail?.chain.gap).toBeUndefined();
    expect(detail?.chain.stations.map((station) => station.glyph)).toEqual([
      "executed",
      "executed",
      "executed",
      "published",
      "processed",
      "executed",
    ]);
    expect(detail?.command.fields.find((field) => field.name === "amount")?.value).toBe("42.00");
    expect(detail?.leases).toMatchObject([{ fence: 1, ended: "completed" }]);
    expect(detail?.names.find((name) => name.label === "Client key")?.value).toBe(completed.key);
  });
  it("gathers the evidence of an unknown one and offers what it allows", async () => {
    const detail = await readOperation(desk.context(), { operationId: unknown.operationId });
    expect(detail?.verdict.text).toBe(
      "Outcome unknown for 41 minutes. Sent to the provider once. Answered once, never with an outcome. Ledger not posted.",
    );
    expect(detail?.evidence?.leans).toBe("succeeded");
    expect(detail?.chain.gap).toMatchObject({ after: 2, tone: "doubt" });
    const actions = new Map(detail?.actions.map((action) => [action.action, action]));
    expect(actions.get("resolve_succeeded")?.allowed).toBe(true);
    expect(actions.get("resolve_failed")?.whyNot).toBe("Not offered: a signed webhook says it succeeded.");
    expect(actions.get("purge_body")?.allowed).toBe(false);
    expect(actions.get("send_again")?.allowed).toBe(false);
    const viewer = await readOperation(desk.context("viewer"), { operationId: unknown.operationId });
    expect(viewer?.actions.every((action) => !action.allowed)).toBe(true);
  });
  it("says in the queue how often it was asked, as its chain does, also where a look-up had no answer", async () => {
    const { operationId } = unknown;
    await desk.rows(
      `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, prepared_at, sent_at, answered_at)
       select tenant_id, gen_random_uuid(), operation_id, provider_key, provider, 'lookup', v.state, fence, v.outcome, now(), now(), v.answered
         from onceboard.provider_requests, (values ('answered', 'processing', now()), ('sent', null, null), ('sent', null, null)) as v (state, outcome, answered)
        where operation_id = $1 and kind <> 'lookup'`,
      operationId,
    );
    const queue = await listAttention(desk.context(), {});
    const row =
      queue.list.kind === "page" ? queue.list.rows.find((each) => each.operationId === operationId) : undefined;
    expect(row?.known).toContain("asked 3 times");
    const detail = await readOperation(desk.context(), { operationId });
    expect(JSON.stringify(detail?.chain)).toContain("asked 3 times");
    await desk.rows("delete from onceboard.provider_requests where operation_id = $1 and kind = 'lookup'", operationId);
  });
  it("says what broke behind a dead message", async () => {
    const detail = await readOperation(desk.context(), { operationId: dead.operationId });
    expect(detail?.verdict.text).toBe("Executed once. Answered once. Outbox dead after 1 attempt. Ledger not posted.");
    expect(detail?.chain.gap).toMatchObject({ after: 3, tone: "broken" });
  });
  it("is undefined for what does not exist", async () => {
    expect(await readOperation(desk.context(), { operationId: "nothing" })).toBeUndefined();
  });
});

describe("conflicts", () => {
  it("groups them and compares both commands", async () => {
    const view = await listConflicts(desk.context(), {});
    expect(view.groups).toMatchObject([
      { client: "partner-lumen", operation: "payments.create", count: 1, differingFields: ["amount"] },
    ]);
    const one = await readConflict(desk.context(), { eventId: conflict.eventId });
    expect(one?.meaning).toEqual([
      { field: "amount", first: "40.00 EUR", second: "400.00 EUR", said: "+€360.00, ten times the first" },
    ]);
    expect(one?.verdict.text).toBe(
      "Same key, another amount. The first command was executed once and stands. The second was refused once; nothing ran.",
    );
    expect(one?.patterns.shares[0]).toMatchObject({ name: "amount_x10", count: 1 });
    expect(one?.requests.map((request) => request.money?.display)).toEqual(["€40.00", "€400.00"]);
  });
  it("is undefined for another tenant's, and for what is no conflict", async () => {
    const other = desk.context("viewer", "globex");
    expect(await readConflict(other, { eventId: conflict.eventId })).toBeUndefined();
    expect(await readConflict(desk.context(), { eventId: completed.operationId })).toBeUndefined();
    expect(await readConflict(desk.context(), { eventId: "nothing" })).toBeUndefined();
  });
  it("shows names without values to a viewer", async () => {
    const one = await readConflict(desk.context("viewer"), { eventId: conflict.eventId });
    expect(one?.valuesShown).toBe(false);
    expect(one?.meaning).toEqual([{ field: "amount" }]);
    expect(JSON.stringify(one)).not.toContain("400.00");
  });
});

describe("queues, audit, the rest", () => {
  it("says of an attention queue that it could not be read in time that it is so", async () => {
    const unlock = await desk.lock("idempotency_open");
    const { list, verdict } = await listAttention(desk.context(), {});
    await unlock();
    expect([list.kind, verdict.text]).toEqual(["too_broad", "The queue could not be read in time."]);
    expect((await listAttention(desk.context(), {})).list.kind).toBe("page");
  });
  it("ATTENTION-1 orders the attention queue by age and amount", async () => {
    const view = await listAttention(desk.context(), {});
    if (view.list.kind !== "page") throw new Error("too broad");
    expect(view.list.rows.map((row) => row.state)).toEqual(["UNKNOWN_REQUIRES_RECOVERY", "STALE"]);
    expect(view.list.rows[0]?.known).toBe("Not asked yet. A signed webhook says succeeded.");
    expect(view.verdict.text).toBe(
      "1 operation may have moved money. €12,480.00 is in doubt, the oldest for 41 minutes. 1 lease is stale.",
    );
  });
  it("reads the outbox and one message", async () => {
    const view = await listOutbox(desk.context(), { filters: parseOutboxFilters({ state: "dead" }).filters });
    expect(view.list).toMatchObject({ kind: "page", rows: [{ id: dead.messageId, state: "dead" }] });
    expect(view.dead).toBe(1);
    const published = await listOutbox(desk.context(), { filters: parseOutboxFilters({ state: "published" }).filters });
    expect(published.list).toMatchObject({
      kind: "page",
      rows: expect.arrayContaining([expect.objectContaining({ state: "published" })]) as unknown,
    });
    expect((await readOutboxMessage(desk.context(), { id: dead.messageId }))?.actions).toMatchObject([
      { action: "requeue", allowed: true },
      { action: "discard", allowed: true },
      { action: "correct" },
    ]);
  });
  it("reads the inbox and every arrival of one message", async () => {
    const view = await listInbox(desk.context(), { filters: parseInboxFilters({ duplicates: "true" }).filters });
    expect(view.list).toMatchObject({ kind: "page", rows: [{ id: duplicate.inboxId, duplicates: 1 }] });
    const one = await readInboxMessage(desk.context(), { id: duplicate.inboxId });
    expect(one?.arrivals.map((arrival) => arrival.outcome)).toEqual(["recorded", "duplicate"]);
    // No verb writes what arrived, and no process may.
    expect(one?.actions.find(({ action }) => action === "correct")).toMatchObject({
      allowed: false,
      whyNot: "A received message stays as its sender sent it. Ask the sender to send a corrected one.",
    });
    const edit = desk.context().db.pool.query({ text: "update onceboard.inbox_messages set payload = '{}'" });
    await expect(edit).rejects.toThrow(/permission denied/);
  });
  it("groups dead letters", async () => {
    const view = await listDeadLetters(desk.context(), { filters: parseDeadLetterFilters({}).filters });
    expect(view).toMatchObject({
      open: 1,
      groups: [{ place: "payments", count: 1, errorCode: "http.503", verdicts: { safe: 1 } }],
      rows: { rows: [{ messageId: dead.messageId, verdict: "safe" }] },
    });
  });
  it("opens with the doubt", async () => {
    expect((await readOverview(desk.context("viewer"), {})).notes[0]).toContain("was not checked yet");
    await runInvariants(desk.context());
    const view = await readOverview(desk.context("viewer"), { range: "6h" });
    expect(view.notes[0]).toContain("Nothing has been sent twice");
    expect(view.verdict.text).toContain("€12,480.00 is in doubt");
    expect(view.invariants.rows.filter((row) => !row.holds)).toEqual([]);
    expect(view.charts.buckets).toHaveLength(72);
    expect(view.waiting.find((row) => row.name === "dead_letters")?.open).toBe(1);
  });
  it.each(["1h", "24h", "7d"] as const)("draws %s", async (range) => {
    expect((await readOverview(desk.context(), { range })).charts.strips).toHaveLength(9);
  });
  it("finds things by any of their names", async () => {
    for (const q of [unknown.operationId, unknown.key, unknown.providerKey, "12480.00", "€12,480.00"]) {
      const view = await find(desk.context(), { q });
      expect(view, q).toMatchObject({ kind: "found", targets: [{ href: `/operations/${unknown.operationId}` }] });
    }
    expect(await find(desk.context(), { q: "order-88213" })).toMatchObject({
      targets: [{ href: "/references/order-88213" }],
    });
    expect(await find(desk.context(), { q: dead.messageId })).toMatchObject({
      targets: [{ href: `/outbox/${dead.messageId}` }],
    });
    expect(await find(desk.context(), { q: conflict.eventId })).toMatchObject({
      targets: [{ href: `/conflicts?conflict=${conflict.eventId}` }],
    });
    expect(await find(desk.context(), { q: "there is no such thing" })).toMatchObject({ targets: [] });
  });
  it("finds what only another tenant has and says whose it is", async () => {
    const elsewhere = desk.context("viewer", "globex");
    expect(await find(elsewhere, { q: unknown.key })).toMatchObject({ targets: [] });
    const names = Array.from({ length: 30 }, (_, index) => `tenant-${String(index)}`);
    expect(await find(elsewhere, { q: "there is no such thing", others: ["globex", ...names] })).toMatchObject({
      targets: [],
      elsewhere: { searched: 20, left: 10 },
    });
    expect(await find(elsewhere, { q: unknown.key, others: ["acme", "globex"] })).toMatchObject({
      targets: [{ href: `/operations/${unknown.operationId}?tenant=acme`, tenant: "acme" }],
    });
  });
  it.each([
    ["operations", () => unknown.operationId],
    ["outbox", () => dead.messageId],
    ["inbox", () => duplicate.inboxId],
  ] as const)("leads a link to %s into the tenant that has it", async (page, id) => {
    const ctx = desk.context("viewer", "globex");
    const tenants = ["acme", "globex"];
    expect(await readOwningTenant(ctx, { page, id: id(), tenants })).toBe("acme");
    expect(await readOwningTenant(ctx, { page, id: id(), tenants: ["globex"] })).toBeUndefined();
    expect(await readOwningTenant(ctx, { page, id: "nonsense", tenants })).toBeUndefined();
  });
  it("beats with the same mark while nothing changes", async () => {
    const since = "2020-01-01T00:00:00Z";
    const first = await readLiveStatus(desk.context(), { page: "operations", since });
    expect(first).toMatchObject({ newer: 10, counts: { attention: 2, deadLetters: 1, conflicts: 1 } });
    expect((await readLiveStatus(desk.context(), { page: "operations", since })).mark).toBe(first.mark);
  });
  it("reads retention, settings and the audit", async () => {
    expect((await readRetention(desk.context(), {})).preview).toMatchObject({
      operations: 0,
      atLeast: false,
      tooBroad: false,
    });
    // Parts are made for days to come; what is kept ends today.
    const today = new Date().toISOString().slice(0, 10);
    const [parts] = await desk.rows<{ ahead: number }>(
      `select count(*)::int as ahead from pg_catalog.pg_class c
       where c.relname like 'idempotency_events_%' and pg_get_expr(c.relpartbound, c.oid) like '%' || ((now() at time zone 'utc')::date + 1) || '%'`,
    );
    expect(parts?.ahead).toBeGreaterThan(0);
    const { tables = [] } = await readRetention(desk.context(), {});
    expect(tables.length).toBeGreaterThan(0);
    for (const { last = "", first = "", days } of tables) {
      expect(last <= today, last).toBe(true);
      expect((Date.parse(last) - Date.parse(first)) / 86_400_000 + 1).toBeGreaterThanOrEqual(days);
    }
    expect((await readSettings(desk.context())).tenant.name).toBe("Acme");
    expect((await readSettings(desk.context())).guard).toMatchObject({ active: true });
    expect((await listAudit(desk.context(), { filters: parseAuditFilters({}).filters })).list).toMatchObject({
      kind: "page",
      rows: [],
    });
    expect(await verifyAudit(desk.context())).toMatchObject({ result: "holds", checkedTo: "0" });
  });
});

describe("RETENTION-5 the purge of one body", () => {
  it("is offered by the rule of a plan: not while its policy keeps it", async () => {
    const { operationId } = await desk.make.completed();
    const purge = async () =>
      (await readOperation(desk.context(), { operationId }))?.actions.find(({ action }) => action === "purge_body");
    expect(await purge()).toMatchObject({ allowed: false, whyNot: "Its policy keeps the body for 24 h more." });
    await desk.rows(
      "update onceboard.idempotency_bodies set created_at = created_at - interval '25 hours' where operation_id = $1",
      operationId,
    );
    expect(await purge()).toMatchObject({ allowed: true });
  });
});
