import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/domain/errors";
import type { ActionRequest } from "./action-answer";
import { createConsumerRegistry } from "../inbox/consumer";
import { operatorAction, operatorTask } from "./operator-action";
import { receive } from "../inbox/receive";
import { outboxBody, type EnvelopeSource } from "../outbox/envelope";
import { relay } from "../outbox/relay";
import { through } from "../testing/transports";
import { messageAction } from "@/console/actions/message-actions";
import { purgeBody, purgeExpiredBodies, revealBody } from "@/console/actions/body-actions";
import { createEngineTestEnvironment, operator, TENANT, type EngineTestEnvironment } from "../testing/environment";

/** A text with this in it. */
const saying = (text: string): unknown => expect.stringContaining(text);

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const rejecting = through(() => ({
  kind: "rejected",
  code: "delivery.payload_mismatch",
  reason: "another payload",
}));
const asked = (action: ActionRequest["action"], id: string, key = uuidv7(), type = "outbox"): ActionRequest => ({
  action,
  idempotencyKey: key,
  input: {},
  subject: { type, id },
  reason: "the consumer is back",
  receivedAt: performance.now(),
});
const ctx = (role: "viewer" | "operator" | "admin" = "admin", id = "op-1") =>
  env.context({ actor: operator(role, id) });
const audits = (subject: string) =>
  env.rows<{ action: string; reason: string }>(
    "select action, reason from onceboard.audit_entries where subject_id = $1",
    subject,
  );
const verify = async () =>
  (
    await env.rows<{ broken_at: bigint | null; checked: bigint }>("select * from onceboard.verify_audit($1)", TENANT)
  )[0];
async function deadOutbox(): Promise<string> {
  const id = await env.outbox();
  await relay(env.context(), rejecting);
  return id;
}

describe("requeue of the outbox", () => {
  it("clicked twice is one requeue, and the second click is told so", async () => {
    const id = await deadOutbox();
    const request = asked("outbox.requeue", id);
    const first = await messageAction(ctx(), request, { side: "outbox", id }, "requeue");
    expect(first).toMatchObject({
      replayed: false,
      answer: { changed: true, affected: 1, skipped: [], before: { state: "dead" }, after: { state: "pending" } },
    });
    expect(
      await messageAction(ctx(), { ...request, receivedAt: performance.now() }, { side: "outbox", id }, "requeue"),
    ).toEqual({
      ...first,
      replayed: true,
    });
    expect(await audits(id)).toEqual([{ action: "outbox.requeue", reason: "the consumer is back" }]);
    const again = await messageAction(ctx(), asked("outbox.requeue", id), { side: "outbox", id }, "requeue");
    expect(again.answer).toMatchObject({
      changed: false,
      skipped: [{ id, why: saying("Queued; will be sent automatically") }],
    });
  });

  it("ten clicks at once are one requeue", async () => {
    const id = await deadOutbox();
    const request = asked("outbox.requeue", id);
    const clicks = await Promise.allSettled(
      Array.from({ length: 10 }, () => messageAction(ctx(), request, { side: "outbox", id }, "requeue")),
    );
    const answers = clicks.flatMap((click) => (click.status === "fulfilled" ? [click.value] : []));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await audits(id)).toHaveLength(1);
  });

  it("closes as delivered what the consumer's inbox holds, and sends nothing", async () => {
    const id = await deadOutbox();
    const [row] = await env.rows<EnvelopeSource>("select * from onceboard.outbox_messages where id = $1", id);
    if (row === undefined) throw new Error("no message");
    const body = outboxBody(TENANT, row);
    await receive(env.context(), createConsumerRegistry([]), {
      source: "onceboard",
      messageId: id,
      type: "payment.succeeded",
      payload: row.payload,
      payloadBytes: Buffer.from(body),
      headers: {},
    });
    const { answer } = await messageAction(ctx(), asked("outbox.requeue", id), { side: "outbox", id }, "requeue");
    expect(answer).toMatchObject({
      changed: true,
      after: { state: "published", sent: false, why: saying("and skips another copy") },
    });
    expect(await env.rows("select 1 from onceboard.outbox_history where id = $1", id)).toHaveLength(1);
    expect(
      await env.rows("select 1 from onceboard.dead_letters where message_row_id = $1 and settled_at is null", id),
    ).toEqual([]);
  });

  it("leaves it while its operation is unknown, and says so", async () => {
    const operationId = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY" });
    const id = await env.outbox({ operationId });
    await relay(env.context(), rejecting);
    const { answer } = await messageAction(ctx(), asked("outbox.requeue", id), { side: "outbox", id }, "requeue");
    expect(answer).toMatchObject({
      changed: false,
      affected: 0,
      skipped: [{ why: saying("unknown") }],
    });
  });

  it("ACTION-2 a viewer may not, and a foreign id is not there: neither leaves a trace", async () => {
    const id = await deadOutbox();
    await expect(
      messageAction(ctx("viewer"), asked("outbox.requeue", id), { side: "outbox", id }, "requeue"),
    ).rejects.toMatchObject({
      code: "auth.forbidden",
      status: 403,
    });
    const none = uuidv7();
    await expect(
      messageAction(ctx(), asked("outbox.requeue", none), { side: "outbox", id: none }, "requeue"),
    ).rejects.toMatchObject({
      code: "outbox.not_found",
    });
    expect(await audits(id)).toEqual([]);
    expect(await audits(none)).toEqual([]);
  });
});

describe("requeue of the inbox", () => {
  it("hands a dead message out again, once, and leaves a processed one alone", async () => {
    const registry = createConsumerRegistry([]);
    const { inboxIds } = await receive(env.context(), registry, {
      source: "s",
      messageId: "m1",
      type: "t",
      payload: {},
      payloadBytes: Buffer.from("{}"),
      headers: {},
    });
    const id = inboxIds[0] ?? "";
    await env.rows(
      "with gone as (delete from onceboard.inbox_open where id = $1) update onceboard.inbox_messages set state = 'dead', attempts_started = 5, attempts_finished = 5 where id = $1",
      id,
    );
    const request = asked("inbox.requeue", id, uuidv7(), "inbox");
    expect((await messageAction(ctx(), request, { side: "inbox", id }, "requeue")).answer).toMatchObject({
      changed: true,
      after: { state: "recorded" },
    });
    expect(await messageAction(ctx(), request, { side: "inbox", id }, "requeue")).toMatchObject({
      replayed: true,
      answer: { changed: true },
    });
    await env.rows(
      "with gone as (delete from onceboard.inbox_open where id = $1) update onceboard.inbox_messages set state = 'processed', processed_at = now(), result = 'ok' where id = $1",
      id,
    );
    const { answer } = await messageAction(
      ctx(),
      asked("inbox.requeue", id, uuidv7(), "inbox"),
      { side: "inbox", id },
      "requeue",
    );
    expect(answer).toMatchObject({
      changed: false,
      skipped: [{ why: saying("It is not handled again") }],
    });
  });
});

describe("keys of actions", () => {
  const outcome = { changed: true, affected: 1, skipped: [], before: {}, after: {} };

  it("the same key for another subject is a conflict; another person's same key is another click", async () => {
    const request = asked("outbox.requeue", "a");
    let ran = 0;
    const run = () => Promise.resolve({ ...outcome, affected: (ran += 1) });
    await operatorAction(ctx(), request, run);
    await expect(
      operatorAction(ctx(), { ...request, subject: { type: "outbox", id: "b" } }, run),
    ).rejects.toMatchObject({ code: "idempotency.payload_mismatch" });
    expect(await operatorAction(ctx("admin", "op-2"), request, run)).toMatchObject({ replayed: false });
    expect(ran).toBe(2);
  });

  it("a failed task frees its key; a finished one is replayed", async () => {
    const request = asked("retention.run", TENANT);
    const broken = operatorTask(ctx(), request, () =>
      Promise.reject(new AppError("operation.not_open", 409, "settled")),
    );
    await expect(broken).rejects.toMatchObject({ code: "operation.not_open" });
    expect(await operatorTask(ctx(), request, () => Promise.resolve(outcome))).toMatchObject({ replayed: false });
    let ran = false;
    const again = await operatorTask(ctx(), request, () => {
      ran = true;
      return Promise.resolve(outcome);
    });
    expect(again.replayed).toBe(true);
    expect(ran).toBe(false);
  });
});

describe("bodies", () => {
  it("purges one settled body; what is open and what is gone is skipped and says why", async () => {
    const settled = await env.operation();
    const open = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY", ageHours: 100 });
    const purge = (id: string) => purgeBody(ctx(), asked("operations.purge_body", id, uuidv7(), "operation"), id);
    expect((await purge(settled)).answer).toMatchObject({ changed: true, affected: 1, after: { bodyRows: 2 } });
    expect((await purge(settled)).answer).toMatchObject({
      changed: false,
      skipped: [{ why: saying("already") }],
    });
    expect((await purge(open)).answer).toMatchObject({
      changed: false,
      skipped: [{ why: saying("still open") }],
    });
    expect(await env.rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", open)).toHaveLength(2);
    expect(await env.rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", settled)).toEqual([]);
  });

  it("reveals with an audit entry that holds no body, and keeps none in the action's answer", async () => {
    const id = await env.operation();
    const request = asked("bodies.reveal", id, uuidv7(), "operation");
    const shown = await revealBody(ctx("operator"), request, id);
    expect(shown.bodies).toEqual({ command: '{"kind":"command"}', response: '{"kind":"response"}' });
    expect(JSON.stringify(shown.answer)).not.toContain('\\"kind\\"');
    const [entry] = await env.rows<{ text: string }>(
      "select row_to_json(a)::text as text from onceboard.audit_entries a where subject_id = $1",
      id,
    );
    expect(entry?.text).toContain("bodies.reveal");
    expect(entry?.text).not.toContain('{\\"kind');
    await purgeBody(ctx(), asked("operations.purge_body", id, uuidv7(), "operation"), id);
    expect((await revealBody(ctx("operator"), request, id)).bodies).toEqual({
      command: undefined,
      response: undefined,
    });
  });

  it("purging what is expired now removes it in batches, records the run, and names what it skipped", async () => {
    const old = [await env.operation({ ageHours: 48 }), await env.operation({ ageHours: 30 })];
    const young = await env.operation({ ageHours: 1 });
    const open = await env.operation({ state: "IN_PROGRESS", ageHours: 48 });
    const { answer } = await purgeExpiredBodies(ctx(), asked("retention.run", TENANT, uuidv7(), "tenant"));
    expect(answer).toMatchObject({
      changed: true,
      affected: old.length,
      after: { bodyRows: 2 * old.length, more: false },
    });
    expect(answer.skipped).toContainEqual({ id: open, why: "Still open: the body is evidence." });
    expect(answer.skipped.map(({ id }) => id)).not.toContain(young);
    const left = await env.rows<{ operation_id: string }>(
      "select distinct operation_id from onceboard.idempotency_bodies where operation_id = any ($1)",
      [...old, young, open],
    );
    expect(left.map((row) => row.operation_id).sort()).toEqual([young, open].sort());
    expect(await env.rows("select kind, rows from onceboard.retention_runs where kind = 'purge_bodies'")).toEqual([
      { kind: "purge_bodies", rows: 4 },
    ]);
  });
});

describe("the audit chain", () => {
  it("holds after all of this, with entries added at once", async () => {
    const count = (await verify())?.checked ?? 0n;
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        operatorAction(ctx(), asked("outbox.requeue", `s${String(index)}`), () =>
          Promise.resolve({ changed: false, affected: 0, skipped: [], before: {}, after: {} }),
        ),
      ),
    );
    expect(await verify()).toMatchObject({ broken_at: null, checked: count + 8n });
  });

  it.each([
    ["an edit", "update onceboard.audit_entries set reason = 'another' where sequence = 3"],
    ["a deletion", "delete from onceboard.audit_entries where sequence = 3"],
    [
      "a cut end",
      "delete from onceboard.audit_entries where sequence = (select max(sequence) from onceboard.audit_entries)",
    ],
    ["a forged hash", "update onceboard.audit_entries set after = '{}', hash = sha256('x') where sequence = 3"],
  ])("shows %s", async (_what, tamper) => {
    const client = await env.owner.pool.connect();
    try {
      await client.query("begin");
      await client.query(tamper);
      const { rows } = await client.query<{ broken_at: bigint | null }>({
        text: "select broken_at from onceboard.verify_audit($1)",
        values: [TENANT],
      });
      expect(rows[0]?.broken_at).not.toBeNull();
      await client.query("rollback");
    } finally {
      client.release();
    }
    expect(await verify()).toMatchObject({ broken_at: null });
  });
});
