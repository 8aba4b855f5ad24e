import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { sqlToCopy } from "@/db/checks/counterexamples";
import { INVARIANT_NAMES, INVARIANTS } from "./invariant-list";
import { purgeInvariantChecks } from "@/db/retention/purge";
import type { MadeOperation } from "@/db/testing/factories/made-operation";
import { inTransaction } from "@/db/transaction";
import { audit } from "@/engine/actions/audit";
import { readInvariants, readInvariantsPage } from "@/console/read/deployment/read-invariants";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { checkInvariantsNow, runInvariants, skippedOf } from "./run-invariants";

let desk: Desk;
let made: MadeOperation;
let deadId: string;

beforeAll(async () => {
  desk = await openDesk();
  made = await desk.make.completed({ replays: 1 });
  await desk.make.unknown();
  await desk.make.failedReplayable();
  deadId = (await desk.make.outboxDead()).messageId;
  await desk.make.inboxDuplicate();
  const ctx = desk.context();
  for (const action of ["outbox.requeue", "outbox.discard", "policies.write"] as const)
    await inTransaction(ctx.db, (tx) => audit(ctx, tx, { action, subject: { type: "test", id: "1" } }));
  // Late enough that what follows by itself should have followed.
  await desk.rows(
    "update onceboard.idempotency_requests set completed_at = now() - interval '10 minutes' where completed_at is not null",
  );
  await desk.rows("update onceboard.outbox_history set published_at = now() - interval '10 minutes'");
});
afterAll(() => desk.close());

/** A look without what the ones before it left. */
beforeEach(() => desk.rows("delete from onceboard.invariant_checks"));

async function red(): Promise<string[]> {
  const { runs } = await runInvariants(desk.context());
  expect(runs.map(({ name }) => name)).toEqual(INVARIANT_NAMES);
  expect(runs.filter(({ violations }) => violations === undefined)).toEqual([]);
  return runs.filter(({ violations }) => violations !== 0).map(({ name }) => name);
}

/** What breaks each, as the owner of the tables could do it, and what mends it again. */
const BREAKS: Readonly<Record<string, () => readonly [string, readonly unknown[], string, readonly unknown[]]>> = {
  one_execution_per_key: () => [
    `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, provider_reference)
     values ('acme', gen_random_uuid(), $1, 'other', 'sandbox', 'charge', 'answered', 1, 'succeeded', 'np_twice')`,
    [made.operationId],
    "delete from onceboard.provider_requests where provider_reference = 'np_twice'",
    [],
  ],
  provider_reference_once: () => [
    `update onceboard.provider_requests set outcome = 'succeeded', provider_reference = (
       select provider_reference from onceboard.provider_requests where operation_id = $1 limit 1)
     where operation_id = (select operation_id from onceboard.idempotency_requests where state = 'FAILED_REPLAYABLE')`,
    [made.operationId],
    `update onceboard.provider_requests set outcome = 'declined', provider_reference = null
     where operation_id = (select operation_id from onceboard.idempotency_requests where state = 'FAILED_REPLAYABLE')`,
    [],
  ],
  replays_byte_equal: () => [
    "update onceboard.idempotency_events set served_hash = '\\x01' where operation_id = $1 and outcome = 'replayed'",
    [made.operationId],
    `update onceboard.idempotency_events set served_hash = (
       select served_hash from onceboard.idempotency_events where operation_id = $1 and outcome = 'executed')
     where operation_id = $1 and outcome = 'replayed'`,
    [made.operationId],
  ],
  answers_kept: () => [
    "update onceboard.idempotency_bodies set kind = 'lost' where operation_id = $1 and kind = 'response'",
    [made.operationId],
    "update onceboard.idempotency_bodies set kind = 'response' where operation_id = $1 and kind = 'lost'",
    [made.operationId],
  ],
  open_rows_match: () => [
    `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at)
     values ('acme', $1, 'payments.create', 'k', 1, now())`,
    [made.operationId],
    "delete from onceboard.idempotency_open where operation_id = $1",
    [made.operationId],
  ],
  stale_leases_taken_over: () => [
    "update onceboard.idempotency_open set locked_until = now() - interval '11 minutes'",
    [],
    "update onceboard.idempotency_open set locked_until = null",
    [],
  ],
  one_ledger_entry: () => [
    // The database forbids it: only a lost constraint lets it happen.
    `insert into payments.ledger_entries (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency)
     select tenant_id, gen_random_uuid(), entry_type, source_id, operation_id, 'twice', credit_account, amount_minor, currency
     from payments.ledger_entries where operation_id = $1`,
    [made.operationId],
    "delete from payments.ledger_entries where debit_account = 'twice'",
    [],
  ],
  ledger_matches_effects: () => [
    "update payments.ledger_entries set amount_minor = amount_minor + 1 where operation_id = $1",
    [made.operationId],
    "update payments.ledger_entries set amount_minor = amount_minor - 1 where operation_id = $1",
    [made.operationId],
  ],
  success_is_posted: () => [
    "update payments.ledger_entries set operation_id = $2 where operation_id = $1",
    [made.operationId, uuidv7()],
    "update payments.ledger_entries set operation_id = $1 where source_id = $2",
    [made.operationId, made.paymentId],
  ],
  refunds_within_payment: () => [
    `with r as (insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
       api_version, state, replay, body_day, created_at, updated_at, completed_at, expires_at, purge_after)
     values ('acme', 'refunds.create', 'too-much', $1, 'till', '\\x00', 1, '1', 'EXPIRED', 'none', current_date, now(), now(), now(),
       now() + interval '1 day', now() + interval '9 days') returning operation_id)
     insert into payments.refunds (tenant_id, id, operation_id, payment_id, amount_minor, currency, status, provider_key)
     select 'acme', $1, operation_id, $2::uuid, 999999, 'EUR', 'succeeded', 'k' from r`,
    [uuidv7(), made.paymentId],
    `with r as (delete from payments.refunds where amount_minor = 999999 returning operation_id)
     delete from onceboard.idempotency_requests q using r where q.operation_id = r.operation_id`,
    [],
  ],
  success_has_message: () => [
    "update onceboard.outbox_history set operation_id = $2 where operation_id = $1",
    [made.operationId, uuidv7()],
    `update onceboard.outbox_history set operation_id = $1
     where operation_id not in (select operation_id from onceboard.idempotency_requests)`,
    [made.operationId],
  ],
  published_message_arrived: () => [
    `update onceboard.inbox_messages set message_id = 'elsewhere' where operation_id = $1`,
    [made.operationId],
    `update onceboard.inbox_messages set message_id = (
       select id::text from onceboard.outbox_history where operation_id = $1) where message_id = 'elsewhere'`,
    [made.operationId],
  ],
  dead_but_processed: () => [
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at, processed_at)
     values ('acme', gen_random_uuid(), 'ledger', 'onceboard', $1, 'payment.succeeded', '{}', '\\x00', 'processed', now(), now())`,
    [deadId],
    "delete from onceboard.inbox_messages where message_id = $1",
    [deadId],
  ],
  no_payload_swap: () => [
    "update onceboard.inbox_messages set mismatches = 1 where operation_id = $1",
    [made.operationId],
    "update onceboard.inbox_messages set mismatches = 0 where operation_id = $1",
    [made.operationId],
  ],
  inbox_queue_matches: () => [
    `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
     select tenant_id, id, consumer, received_at, now() from onceboard.inbox_messages where operation_id = $1 and state = 'processed' limit 1`,
    [made.operationId],
    "delete from onceboard.inbox_open o using onceboard.inbox_messages m where m.id = o.id and m.operation_id = $1",
    [made.operationId],
  ],
  dead_letters_are_dead: () => [
    "update onceboard.outbox_messages set state = 'pending' where id = $1",
    [deadId],
    "update onceboard.outbox_messages set state = 'dead' where id = $1",
    [deadId],
  ],
  audit_chain_intact: () => [
    "update onceboard.audit_entries set reason = 'forged' where tenant_id = 'acme' and sequence = 2",
    [],
    "update onceboard.audit_entries set reason = null where tenant_id = 'acme' and sequence = 2",
    [],
  ],
  audit_as_checkpointed: () => [
    `insert into onceboard.audit_checkpoints (chain, sequence, hash, at, line)
     select a.tenant_id, a.sequence, '\\x00', now(), '{}' from onceboard.audit_entries a where a.tenant_id = 'acme' and a.sequence = 1`,
    [],
    "truncate onceboard.audit_checkpoints",
    [],
  ],
  plan_items_settled: () => [
    `with p as (insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by, ended_at)
       values ('acme', $1, 'requeue_dead_letters', 'done', '{}', 'a test', 1, 'mira', now()) returning id)
     insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason)
     select 'acme', id, 1, id, '{}', 'safe', 'a test' from p`,
    [uuidv7()],
    "with i as (delete from onceboard.plan_items) delete from onceboard.plans",
    [],
  ],
};

const BROKEN = Object.keys(BREAKS);

describe("INVARIANT-1 invariants", () => {
  it("all hold over everything that the functions of the database made", async () => {
    expect(await red()).toEqual([]);
  });

  it("each has something here that breaks it", () => {
    expect([...BROKEN].sort()).toEqual([...INVARIANT_NAMES].sort());
  });

  it.each(BROKEN)("%s alone goes red when its row is broken, and green when it is mended", async (name) => {
    if (name === "one_ledger_entry") await desk.rows("drop index payments.ledger_entries_source");
    const [breaks, broken, mends, mended] = BREAKS[name]?.() ?? ["", [], "", []];
    await desk.rows(breaks, ...broken);
    expect(await red()).toEqual([name]);
    const view = await readInvariants(desk.context("viewer"));
    const row = view.rows.find((each) => each.name === name);
    expect(row).toMatchObject({ checked: true, holds: false });
    expect(row?.samples.length).toBeGreaterThan(0);
    expect((await readLiveStatus(desk.context(), { page: "" })).counts.violated).toBe(1);
    await desk.rows(mends, ...mended);
    expect(await red()).toEqual([]);
    expect((await readLiveStatus(desk.context(), { page: "" })).counts.violated).toBe(0);
  });

  it("a tail of the audit that was cut off is seen by its head", async () => {
    await desk.rows("create table kept as select * from onceboard.audit_entries");
    await desk.rows(
      "delete from onceboard.audit_entries where sequence = (select max(sequence) from onceboard.audit_entries)",
    );
    expect(await red()).toEqual(["audit_chain_intact"]);
    await desk.rows("delete from onceboard.audit_entries");
    expect(await red()).toEqual(["audit_chain_intact"]);
    expect(
      (await readInvariants(desk.context())).rows.find((row) => row.name === "audit_chain_intact")?.samples,
    ).toEqual([{ id: "", href: "/audit?verify=now" }]);
    await desk.rows("insert into onceboard.audit_entries select * from kept");
    await desk.rows("drop table kept");
    expect(await red()).toEqual([]);
  });

  it("AUDIT-3 a chain that the worker found broken is red, the access log for every tenant", async () => {
    await desk.rows(
      `insert into onceboard.audit_chain_checks (chain, checked_at, checked_to, broken_at, reason)
       values ('@access', now(), 4, 5, 'the end of the chain was cut'), ('globex', now(), 4, 5, 'the end of the chain was cut')`,
    );
    expect(await red()).toEqual(["audit_as_checkpointed"]);
    await desk.rows("update onceboard.audit_chain_checks set broken_at = null, reason = null where chain = '@access'");
    expect(await red()).toEqual([]);
    await desk.rows("truncate onceboard.audit_chain_checks");
  });

  it("a message of a topic with a destination of its own is not missed in our inbox", async () => {
    await desk.rows(
      "insert into onceboard.topics (tenant_id, topic, destination, version, updated_at, updated_by) values ('acme', 'payments', 'https://shop.example/', 1, now(), 'mira')",
    );
    await desk.rows(
      "update onceboard.inbox_messages set message_id = 'gone' where operation_id = $1",
      made.operationId,
    );
    expect(await red()).toEqual([]);
    await desk.rows("delete from onceboard.topics");
    expect(await red()).toEqual(["published_message_arrived"]);
    await desk.rows(
      "update onceboard.inbox_messages set message_id = (select id::text from onceboard.outbox_history where operation_id = $1) where message_id = 'gone'",
      made.operationId,
    );
  });

  it("a replay by reference that shows today's state is no other answer (REPLAY-4)", async () => {
    await desk.rows(
      `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, served_hash, detail)
       select tenant_id, day, gen_random_uuid(), operation_id, operation, at, 'replayed', 'replayed', '\\x02', '{"by":"reference"}'
       from onceboard.idempotency_events where operation_id = $1 and outcome = 'executed'`,
      made.operationId,
    );
    expect(await red()).toEqual([]);
    await desk.rows("delete from onceboard.idempotency_events where served_hash = '\\x02'");
  });

  it("an answer that a person purged before its time is not missing: it is kept until it is purged", async () => {
    const bodies = "select * from onceboard.idempotency_bodies where operation_id = $1";
    await desk.rows(`create table onceboard.kept as ${bodies.replace("$1", `'${made.operationId}'`)}`);
    await desk.rows("select onceboard.purge_bodies('acme', 9000, 1, $1)", made.operationId);
    expect(await desk.rows(bodies, made.operationId)).toEqual([]);
    expect(await red()).toEqual([]);
    await desk.rows(
      "update onceboard.idempotency_requests set body_purged_at = null where operation_id = $1",
      made.operationId,
    );
    expect(await red()).toEqual(["answers_kept"]);
    await desk.rows("insert into onceboard.idempotency_bodies select * from onceboard.kept");
    await desk.rows("drop table onceboard.kept");
  });

  it("two providers that number their charges alike have not charged once for two keys", async () => {
    const [mine] = await desk.rows<{ reference: string }>(
      "select provider_reference as reference from onceboard.provider_requests where operation_id = $1 and outcome = 'succeeded' limit 1",
      made.operationId,
    );
    const other = uuidv7();
    const call = (provider: string) =>
      desk.rows(
        `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, provider_reference)
         values ('acme', gen_random_uuid(), $1, 'other', $2, 'charge', 'answered', 1, 'succeeded', $3)`,
        other,
        provider,
        mine?.reference,
      );
    await call("another");
    expect(await red()).toEqual([]);
    await call("sandbox");
    expect(await red()).toEqual(["provider_reference_once"]);
    await desk.rows("delete from onceboard.provider_requests where operation_id = $1", other);
  });

  it("the page has each statement as it can be run by hand, its strip and when it was red", async () => {
    await runInvariants(desk.context());
    const page = await readInvariantsPage(desk.context("viewer"));
    expect(page.verdict).toEqual([{ text: `All ${String(INVARIANTS.length)} invariants hold.`, tone: "fine" }]);
    expect(page.checkNot).toContain("needs the role operator");
    const reader = await desk.context().db.pool.connect();
    await reader.query({ text: "begin transaction read only" });
    for (const row of page.rows) {
      expect(row.strip.at(-1), row.name).toBe("held");
      expect(row.sql).not.toContain("$");
      expect((await reader.query({ text: row.sql })).rows, row.name).toEqual([]);
    }
    await reader.query({ text: "rollback" });
    reader.release();
    const [first] = INVARIANTS;
    if (first !== undefined) expect(sqlToCopy("it's", first.name)).toContain("'it''s'");
  });

  it("claims nothing of a time in which nobody looked", async () => {
    await runInvariants(desk.context());
    const [checked] = INVARIANTS;
    await desk.rows(
      `insert into onceboard.invariant_checks (tenant_id, name, checked_at, violations, duration_ms)
       values ('acme', $1, now() - interval '3 days', 0, 1)`,
      checked?.name,
    );
    const oracle = await desk.rows<{ name: string; first: Date }>(
      "select name, min(checked_at) as first from onceboard.invariant_checks where tenant_id = 'acme' group by name",
    );
    const { rows } = await readInvariantsPage(desk.context("viewer"));
    for (const row of rows) {
      const first = oracle.find(({ name }) => name === row.name)?.first.getTime();
      expect(Date.parse(row.firstCheckedAt ?? ""), row.name).toBe(first);
    }
    expect(Date.parse(rows[0]?.firstCheckedAt ?? "")).toBeLessThan(Date.now() - 2 * 86_400_000);
  });

  it("says that nothing was checked, and refuses who may not look", async () => {
    const page = await readInvariantsPage(desk.context());
    expect(page.checkedAt).toBeUndefined();
    expect(page.verdict[0]).toEqual({ text: "Nothing was checked yet.", tone: "doubt" });
    expect(page.verdict[1]?.text).toBe("No worker runs the checks.");
  });

  it("a check now is one action, audited, and a second one within seconds checks nothing", async () => {
    const request = { idempotencyKey: uuidv7(), receivedAt: performance.now() };
    const first = await checkInvariantsNow(desk.context(), request);
    expect(first.answer).toMatchObject({ action: "invariants.run", changed: true, affected: INVARIANTS.length });
    const again = await checkInvariantsNow(desk.context(), request);
    expect(again.replayed).toBe(true);
    const other = await checkInvariantsNow(desk.context(), { ...request, idempotencyKey: uuidv7() });
    expect(other.answer).toMatchObject({ changed: false, affected: 0 });
    expect(other.answer.skipped[0]?.why).toMatch(/^Checked \d+ s ago\.$/);
    await desk.rows("update onceboard.invariant_checks set checked_at = checked_at - interval '4 seconds'");
    const soon = await checkInvariantsNow(desk.context(), { ...request, idempotencyKey: uuidv7() });
    expect(Number(/^Checked (\d+) s ago\.$/.exec(soon.answer.skipped[0]?.why ?? "")?.[1])).toBeGreaterThanOrEqual(4);
    const [counted] = await desk.rows<{ runs: number }>("select count(*)::int as runs from onceboard.invariant_checks");
    expect(counted?.runs).toBe(INVARIANTS.length);
    await expect(checkInvariantsNow(desk.context("viewer"), request)).rejects.toMatchObject({ code: "auth.forbidden" });
    await desk.rows("update onceboard.invariant_checks set checked_at = checked_at - interval '11 seconds'");
    const later = await checkInvariantsNow(desk.context(), { ...request, idempotencyKey: uuidv7() });
    expect(later.answer).toMatchObject({ changed: true, affected: INVARIANTS.length, skipped: [] });
  });

  it("says of each that was not checked whether its time was over or that of all", () => {
    const run = (name: string) => ({ name: `name_${name}`, label: `Label ${name}` });
    const runs = [
      { ...run("a"), violations: undefined },
      { ...run("b"), violations: 0 },
      { ...run("c"), violations: 2 },
    ];
    expect(skippedOf({ runs, left: [run("d")] })).toEqual([
      { id: "name_a", why: "Label a: stopped, it took too long." },
      { id: "name_d", why: "Label d: left to the worker's next turn." },
    ]);
  });

  it("keeps what was red for 30 days, and of what held one an hour after a day", async () => {
    await desk.rows(`insert into onceboard.invariant_checks (tenant_id, name, checked_at, violations, duration_ms)
      select 'acme', 'a', date_trunc('hour', now()) - interval '30 hours' + n * interval '1 minute', case when n = 7 then 2 else 0 end, 1
      from generate_series(0, 59) n`);
    await desk.rows(`insert into onceboard.invariant_checks (tenant_id, name, checked_at, violations, duration_ms) values
      ('acme', 'a', now() - interval '31 days', 3, 1), ('acme', 'a', now(), 0, 1), ('acme', 'a', now() - interval '1 minute', 0, 1)`);
    expect(await purgeInvariantChecks(desk.context().db.pool, "acme", 30, 500)).toBe(59);
    const kept = await desk.rows<{ violations: number }>(
      "select violations from onceboard.invariant_checks order by checked_at",
    );
    expect(kept.map(({ violations }) => violations)).toEqual([2, 0, 0, 0]);
  });
});
