import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensurePartitions, TABLES_BY_DAY } from "@/db/partitions";
import { beatHeart } from "@/db/metrics/heartbeats";
import type { MadeOperation } from "@/db/testing/factories/made-operation";
import type { DeploymentFacts } from "@/domain/checks/checklist-facts";
import type { ChecklistRow } from "@/presentation/views/checklist";
import type { PolicyOwner } from "@/engine/policies/policies";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { runInvariants } from "@/console/invariants/run-invariants";
import { lookNow, readChecklist } from "./read-checklist";

const LOOPS = ["relay", "consume", "consume-alone", "recover", "roll-up", "retain"];
const OWNERS: readonly PolicyOwner[] = ["payments.create", "refunds.create", "payments.void", "accounts.create"].map(
  (name) => ({ name, policy: {} }),
);
const PATHS = ["/payments", "/refunds", "/payments/{id}/void", "/accounts"];
const DEPLOYMENT: DeploymentFacts = {
  routes: PATHS.map((path) => ({ method: "POST", path: `/api/v1${path}`, keyed: true })),
  profiles: [{ name: "problem", mark: "replayed" }],
  document: PATHS.map((path) => ({ path, window: "PT24H", statuses: ["201", "400", "409", "410"] })),
  metrics: ["idempotency_requests_total", "idempotency_retry_delay_seconds"],
  traces: false,
};

let desk: Desk;
let replayed: MadeOperation;
beforeAll(async () => {
  desk = await openDesk();
  // As a day of a healthy service leaves it: a second passes between two requests of a key.
  replayed = await desk.make.completed({ replays: 2 });
  await desk.make.withConflict();
  const ctx = desk.context();
  await ensurePartitions(ctx.db.pool);
  for (const loop of LOOPS) await beat(loop);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (const table of TABLES_BY_DAY)
    await desk.rows(
      `create table onceboard.${table}_past partition of onceboard.${table} for values from ('2000-01-01') to ('${yesterday}')`,
    );
});
afterAll(() => desk.close());

// So far apart that no beat is late on a slow machine.
const beat = (loop: string, error?: string): Promise<void> =>
  beatHeart(desk.context().db.pool, { loop, instance: "worker-1", intervalMs: 300_000, result: {}, error });

async function look(deployment: DeploymentFacts = DEPLOYMENT, tenant = "acme"): Promise<(id: string) => ChecklistRow> {
  await runInvariants(desk.context("viewer", tenant));
  const { rows } = await lookNow(desk.context("viewer", tenant), { owners: OWNERS, deployment });
  return (id) => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw new Error(`no line ${id}`);
    return row;
  };
}

/** What is wrong in a line, in its own words. */
const wrong = (row: ChecklistRow): string[] =>
  row.checks.filter(({ verdict }) => verdict === "fails").map(({ text }) => text);

/** Breaks the data, looks at one line, and mends it again. */
async function broken(line: string, breakIt: string, mendIt: string): Promise<ChecklistRow> {
  await desk.rows(breakIt);
  try {
    return (await look())(line);
  } finally {
    await desk.rows(mendIt);
  }
}

describe("the checklist on a healthy deployment (CHECKLIST-1)", () => {
  it("is true in every line that there is something to judge by", async () => {
    await runInvariants(desk.context());
    const { rows, verdict } = await lookNow(desk.context("viewer"), { owners: OWNERS, deployment: DEPLOYMENT });
    expect(rows.map(({ id, verdict: told }) => [id, told])).toEqual([
      ["key-required", "holds"],
      ["payload-hash", "holds"],
      ["same-answer", "holds"],
      ["retries", "holds"],
      ["outbox-inbox", "holds"],
      ["observability", "holds"],
      ["cleanup", "holds"],
      ["symmetry", "holds"],
      ["unique-keys", "holds"],
      ["one-effect", "holds"],
      ["unknown", "holds"],
      ["document", "holds"],
    ]);
    expect(verdict).toEqual([{ text: "All 12 checks pass.", tone: "fine" }]);
  });

  it("cannot be told where nobody did anything, and is not true by itself there", async () => {
    const row = await look(DEPLOYMENT, "globex");
    for (const line of ["key-required", "payload-hash", "same-answer", "retries", "observability"])
      expect([line, row(line).verdict]).toEqual([line, "cannot_tell"]);
  });

  it("is shown for a moment to whoever looks again, and to each tenant its own", async () => {
    const input = { owners: OWNERS, deployment: DEPLOYMENT };
    const first = await readChecklist(desk.context("viewer"), input);
    expect(await readChecklist(desk.context("viewer"), input)).toBe(first);
    expect(await readChecklist(desk.context("viewer", "globex"), input)).not.toEqual(first);
  });
});

describe("each line can turn red", () => {
  it("key-required: an effect that no key stands for", async () => {
    const id = uuidv7();
    const row = await broken(
      "key-required",
      `insert into payments.payments (tenant_id, id, operation_id, account_id, amount_minor, currency, channel, status, provider_key)
       values ('acme', '${id}', '${uuidv7()}', 'a', 1, 'EUR', 'web', 'succeeded', 'p-${id}')`,
      `delete from payments.payments where id = '${id}'`,
    );
    expect(row.verdict).toBe("fails");
    expect(row.checks.at(-1)).toMatchObject({
      text: "1 payment without a key.",
      samples: [{ id, href: `/find?q=${id}` }],
    });
  });

  it("payload-hash: a key without a hash, and a conflict that was let through", async () => {
    const hash = `operation_id = '${replayed.operationId}'`;
    const row = await broken(
      "payload-hash",
      `update onceboard.idempotency_requests set fingerprint = ''::bytea where ${hash}`,
      `update onceboard.idempotency_requests set fingerprint = decode(repeat('ab', 32), 'hex') where ${hash}`,
    );
    expect(wrong(row)).toEqual(["1 key without a hash of the command."]);
    const let_through = await broken(
      "payload-hash",
      "update onceboard.idempotency_events set status = 200 where type = 'conflict'",
      "update onceboard.idempotency_events set status = 409 where type = 'conflict'",
    );
    expect(wrong(let_through)).toEqual(["1 conflict answered with another status than 409 or 422."]);
  });

  it.each(["served_hash = '\\x00'::bytea", "status = 200"])("same-answer: a replay with another %s", async (change) => {
    const one = `(select id from onceboard.idempotency_events where operation_id = '${replayed.operationId}' and type = 'replayed' limit 1)`;
    const row = await broken(
      "same-answer",
      `create table public.kept as select * from onceboard.idempotency_events where id = ${one};
       update onceboard.idempotency_events set ${change} where id = (select id from public.kept)`,
      `update onceboard.idempotency_events e set served_hash = k.served_hash, status = k.status from public.kept k where e.id = k.id;
       drop table public.kept`,
    );
    expect(row.checks[0]).toMatchObject({
      verdict: "fails",
      samples: [{ id: replayed.operationId, href: `/operations/${replayed.operationId}` }],
    });
  });

  it("same-answer: a policy that replays by reference, and a profile that marks nothing", async () => {
    const row = await broken(
      "same-answer",
      `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'refunds.create', '{"replay": "reference"}', 'x')`,
      "delete from onceboard.operation_policies",
    );
    expect(wrong(row)).toEqual(["Refund: a replay shows the resource as it is now, as its policy says."]);
    const unmarked = await look({ ...DEPLOYMENT, profiles: [{ name: "fault", mark: undefined }] });
    expect(wrong(unmarked("same-answer"))).toEqual(["A replay is not marked in the profile fault."]);
  });

  it("retries: a client that does not wait, and one that does not stop", async () => {
    const client = (name: string, outcome: string, everyMs: number) =>
      `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client, attempt, latency_ms, status)
       select 'acme', (at at time zone 'utc')::date, ('${uuidv7().slice(0, 13)}-7000-8000-' || lpad(to_hex(n), 12, '${name === "hasty" ? "0" : "1"}'))::uuid, '${uuidv7()}', 'payments.create', at, '${outcome}', '${outcome}', 'r', '${name}', 1, 1, 409
       from (select n, now() - interval '1 minute' + n * interval '${String(everyMs)} milliseconds' as at from generate_series(1, 10) as n) s;`;
    const row = await broken(
      "retries",
      client("hasty", "in_progress", 200) +
        client("stubborn", "conflict", 3_000) +
        client("patient", "in_progress", 2_000).replaceAll("lpad(to_hex(n), 12, '1')", "lpad(to_hex(n), 12, '2')") +
        client("burst", "conflict", 5).replaceAll("lpad(to_hex(n), 12, '1')", "lpad(to_hex(n), 12, '3')") +
        client("reuse", "conflict", 3_000).replaceAll("lpad(to_hex(n), 12, '1')", "lpad(to_hex(n), 12, '4')") +
        `update onceboard.idempotency_events set detail = jsonb_build_object('payloadHash', id) where client = 'reuse';`,
      "delete from onceboard.idempotency_events where client in ('hasty', 'stubborn', 'patient', 'burst', 'reuse')",
    );
    const results = row.checks.map(({ verdict, text }) => [verdict, text]);
    expect(results).toContainEqual([
      "fails",
      "hasty: 9 retries, 9 before Retry-After, none after a refusal that no retry heals.",
    ]);
    expect(results).toContainEqual([
      "fails",
      "stubborn: 9 retries, none before Retry-After, 9 after a refusal that no retry heals.",
    ]);
    expect(results).toContainEqual([
      "holds",
      "patient: 9 retries, none before Retry-After, none after a refusal that no retry heals.",
    ]);
    // Copies that were under way together ignored nothing, and ten commands under one key are ten conflicts.
    expect(results).toContainEqual([
      "holds",
      "burst: 9 retries, none before Retry-After, none after a refusal that no retry heals.",
    ]);
    expect(results).toContainEqual([
      "holds",
      "reuse: 9 retries, none before Retry-After, none after a refusal that no retry heals.",
    ]);
  });

  it("outbox-inbox: a success without a message, an event id with another payload, a stopped relay", async () => {
    const silent = `operation_id = '${replayed.operationId}'`;
    const row = await broken(
      "outbox-inbox",
      `create table public.kept as select * from onceboard.outbox_history where ${silent}; delete from onceboard.outbox_history where ${silent}`,
      "insert into onceboard.outbox_history select * from public.kept; drop table public.kept",
    );
    expect(wrong(row)).toEqual(["Every success left a message: 1 violation in the last 24 h."]);
    const swapped = await broken(
      "outbox-inbox",
      `update onceboard.inbox_messages set mismatches = 1 where ${silent}`,
      "update onceboard.inbox_messages set mismatches = 0",
    );
    expect(wrong(swapped)).toHaveLength(1);
    const stopped = await broken(
      "outbox-inbox",
      "update onceboard.worker_heartbeats set at = now() - interval '1 hour' where loop = 'relay'",
      "update onceboard.worker_heartbeats set at = now() where loop = 'relay'",
    );
    expect(wrong(stopped)).toEqual(["The worker: relay stopped."]);
  });

  it("unique-keys: a dropped constraint; the inbox's shows in its own line as well", async () => {
    const dropped = "drop index onceboard.inbox_messages_dedupe";
    const made =
      "create unique index inbox_messages_dedupe on onceboard.inbox_messages (tenant_id, consumer, source, message_id)";
    const wording = "The database does not enforce one inbox row per consumer, source and event id.";
    expect(wrong(await broken("unique-keys", dropped, made))).toEqual([wording]);
    expect(wrong(await broken("outbox-inbox", dropped, made))).toEqual([wording]);
    const looser = await broken(
      "unique-keys",
      "drop index payments.ledger_entries_source; create index ledger_entries_source on payments.ledger_entries (tenant_id, entry_type, source_id)",
      "drop index payments.ledger_entries_source; create unique index ledger_entries_source on payments.ledger_entries (tenant_id, entry_type, source_id)",
    );
    expect(wrong(looser)).toEqual(["The database does not enforce one ledger entry per cause."]);
  });

  it("observability: an answer without its attempt, metrics that are not served", async () => {
    const row = await broken(
      "observability",
      `update onceboard.idempotency_events set attempt = null where type = 'executed' and operation_id = '${replayed.operationId}'`,
      `update onceboard.idempotency_events set attempt = 1 where type = 'executed' and operation_id = '${replayed.operationId}'`,
    );
    expect(wrong(row)).toEqual(["1 answer without the attempt or the request it belongs to."]);
    expect(wrong((await look({ ...DEPLOYMENT, metrics: undefined }))("observability"))).toEqual([
      "The metrics are not served.",
    ]);
    expect(wrong((await look({ ...DEPLOYMENT, metrics: ["up"] }))("observability"))).toHaveLength(1);
  });

  it("cleanup: bodies, records and windows past their time, a contradiction, a worker that fails, no day ahead", async () => {
    const it_is = `operation_id = '${replayed.operationId}'`;
    const old = (hours: number) => `now() - interval '${String(hours)} hours'`;
    const bodies = await broken(
      "cleanup",
      `create table public.kept as select * from onceboard.idempotency_bodies where ${it_is};
       update onceboard.idempotency_bodies set created_at = ${old(27)}, day = ((${old(27)}) at time zone 'utc')::date where ${it_is}`,
      `delete from onceboard.idempotency_bodies where ${it_is}; insert into onceboard.idempotency_bodies select * from public.kept; drop table public.kept`,
    );
    expect(wrong(bodies)).toEqual(["1 or more expired bodies."]);
    const windows = await broken(
      "cleanup",
      `update onceboard.idempotency_requests set expires_at = ${old(3)} where ${it_is}`,
      `update onceboard.idempotency_requests set expires_at = now() + interval '1 day' where ${it_is}`,
    );
    expect(wrong(windows)).toEqual(["1 or more ended windows that are not closed."]);
    const records = await broken(
      "cleanup",
      `update onceboard.idempotency_requests set state = 'EXPIRED', expires_at = ${old(3)}, purge_after = ${old(3)}, body_purged_at = now() where ${it_is}`,
      `update onceboard.idempotency_requests set state = 'COMPLETED', expires_at = now() + interval '1 day', purge_after = now() + interval '30 days', body_purged_at = null where ${it_is}`,
    );
    expect(wrong(records)).toEqual(["1 or more expired records."]);
    const policy = await broken(
      "cleanup",
      `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'payments.void', '{"ttlHours": 48}', 'x')`,
      "delete from onceboard.operation_policies",
    );
    expect(wrong(policy)).toEqual(["A policy contradicts itself: payments.void."]);
    await beat("retain", "permission denied");
    expect(wrong((await look())("cleanup"))).toEqual(["The worker: retain fails: permission denied."]);
    await beat("retain");
    const days = await desk.rows<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'onceboard.idempotency_events'::regclass
         and c.relname > 'idempotency_events_' || to_char(now() at time zone 'utc' + interval '1 day', 'YYYYMMDD') and c.relname ~ '\\d{8}$'`,
    );
    for (const { name } of days) await desk.rows(`drop table onceboard.${name}`);
    expect(wrong((await look())("cleanup"))).toEqual([
      "Tables by day have partitions for 2 days only, today included.",
    ]);
    await ensurePartitions(desk.context().db.pool).catch(() => desk.rows("select onceboard.ensure_partitions(7)"));
    expect((await look())("cleanup").verdict).toBe("holds");
  });

  it("symmetry: a reversal that runs again after its window while its payment does not", async () => {
    const row = await broken(
      "symmetry",
      `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'refunds.create', '{"expired": "execute"}', 'x')`,
      "delete from onceboard.operation_policies",
    );
    expect(wrong(row)).toEqual(["After the window Refund is treated otherwise than Payment."]);
    const open = DEPLOYMENT.routes.map((route) => ({ ...route, keyed: !route.path.endsWith("/void") }));
    const unkeyed = await look({ ...DEPLOYMENT, routes: open });
    expect(wrong(unkeyed("symmetry"))).toEqual(["No key is needed by POST /payments/{id}/void."]);
    expect(wrong(unkeyed("key-required"))).toHaveLength(2);
  });

  it("one-effect: a second call that succeeded under another reference", async () => {
    const row = await broken(
      "one-effect",
      `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, provider_reference)
       select tenant_id, gen_random_uuid(), operation_id, provider_key, provider, kind, state, fence, outcome, 'np_other'
       from onceboard.provider_requests where operation_id = '${replayed.operationId}' and outcome = 'succeeded'`,
      "delete from onceboard.provider_requests where provider_reference = 'np_other'",
    );
    expect(wrong(row)).toEqual(["One execution per key: 1 violation in the last 24 h."]);
  });

  it("what was checked long ago is not known of now, and what was wrong then stays wrong", async () => {
    await look();
    const lookAtOld = async () => {
      await desk.rows("update onceboard.invariant_checks set checked_at = checked_at - interval '2 days'");
      const { rows } = await lookNow(desk.context("viewer"), { owners: OWNERS, deployment: DEPLOYMENT });
      return rows.find(({ id }) => id === "one-effect");
    };
    expect(await lookAtOld()).toMatchObject({
      verdict: "cannot_tell",
      checks: [
        {
          text: expect.stringMatching(
            /^One execution per key: no violation when it was last checked, 2 d( \d+ s)? ago\.$/,
          ) as string,
        },
        {
          text: expect.stringMatching(
            /^One ledger entry per effect: no violation when it was last checked, 2 d/,
          ) as string,
        },
      ],
    });
    await look();
    await desk.rows(
      "update onceboard.invariant_checks set violations = 1000, capped = true where name = 'one_ledger_entry'",
    );
    expect((await lookAtOld())?.checks[1]?.text).toMatch(
      /^One ledger entry per effect: more than 1,000 violations when/,
    );
    await desk.rows("delete from onceboard.invariant_checks");
    expect((await lookAtOld())?.checks[0]?.text).toBe(
      "One execution per key: the last check did not end, or there was none yet.",
    );
    await look();
  });

  it("unknown: a stale lease that nobody looks after", async () => {
    const made = await desk.make.stale();
    const fresh = (await look())("unknown");
    expect(fresh.verdict).toBe("holds");
    const row = await broken(
      "unknown",
      `update onceboard.idempotency_open set locked_until = now() - interval '6 minutes' where operation_id = '${made.operationId}'`,
      `update onceboard.idempotency_open set locked_until = now() where operation_id = '${made.operationId}'`,
    );
    expect(wrong(row)).toEqual([expect.stringMatching(/^1 stale lease, the oldest for 6 min( \d+ s)?\.$/)]);
  });

  it("document: a call without its header, its window or a refusal", async () => {
    const [first, ...rest] = DEPLOYMENT.document ?? [];
    if (first === undefined) throw new Error("no document");
    const write = async (document: DeploymentFacts["document"]) =>
      wrong((await look({ ...DEPLOYMENT, document }))("document"));
    expect(await write(rest)).toEqual(["The header is not declared for POST /api/v1/payments."]);
    expect(await write([{ ...first, window: undefined }, ...rest])).toEqual(["No window is declared for /payments."]);
    expect(await write([{ ...first, statuses: ["201", "400"] }, ...rest])).toEqual([
      "Refusals are missing from /payments.",
    ]);
    expect(await write(undefined)).toEqual(["The API document is not served."]);
  });
});
