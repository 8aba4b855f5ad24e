import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectProofOutbox } from "@/db/checks/proof-messages";
import { selectOutbox, selectOutboxOfOperation } from "@/db/outbox/select-outbox";
import type { PageRequest } from "@/db/paging";
import type { Cursor } from "@/domain/lists/cursor";
import { parseOutboxFilters } from "@/presentation/filters/parsers";
import { correctOutbox } from "@/db/messages/corrections";
import { CORRECTION_OFFERED, judgeCorrection, type CorrectionFacts } from "@/domain/messages/correction-verdict";
import type { ActionRequest } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { relay } from "@/engine/outbox/relay";
import { retain } from "@/engine/retention/retain";
import { createConsumerRegistry } from "@/engine/inbox/consumer";
import { receive } from "@/engine/inbox/receive";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { readCorrectionFacts } from "../actions/correction-facts";
import { messageAction } from "../actions/message-actions";
import { revealCorrection, revealMessage } from "../actions/reveal-messages";
import { readOutboxMessage } from "../read/messages/read-message";
import { createPlan } from "./create-plan";
import { abortPlan, decidePlan } from "./decide-plan";
import { expirePlans } from "./expire-plans";
import { listApprovals } from "./list-approvals";
import { correctionInput, correctionSubject, proposeCorrection } from "./propose-correction";
import { readPlan } from "./read-plan";
import { openCorrection } from "./send-correction";

/** A text with this in it. */
const saying = (text: string): unknown => expect.stringContaining(text);

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const mira = () => env.context({ actor: operator("operator", "op-mira") });
const ines = () => env.context({ actor: operator("approver", "op-ines") });
const asked = (
  action: ActionRequest["action"],
  subject: ActionRequest["subject"],
  input: ActionRequest["input"] = {},
  key = uuidv7(),
): ActionRequest => ({
  action,
  idempotencyKey: key,
  input,
  subject,
  reason: "the merchant wants the amount as a text",
  receivedAt: performance.now(),
});
const answering = (code: string, kind: "failed" | "rejected" = "rejected") =>
  through(() => ({ kind, code, reason: "as the test says" }));
const accepting = through(() => ({ kind: "acknowledged" }));

/** A message that its receiver refused. */
async function dead(code = "delivery.http_422", options: Parameters<EngineTestEnvironment["outbox"]>[0] = {}) {
  const id = await env.outbox({ data: { amount: 10.5, lines: [{ sku: "a" }] }, ...options });
  await relay(env.context(), answering(code));
  return id;
}
async function bodyOf(id: string): Promise<Record<string, unknown> & { data: Record<string, unknown> }> {
  const [row] = await env.rows<{ payload: Record<string, unknown> & { data: Record<string, unknown> } }>(
    "select payload from onceboard.outbox_messages where id = $1 union all select payload from onceboard.outbox_history where id = $1",
    id,
  );
  if (row === undefined) throw new Error("no such message");
  return row.payload;
}
async function corrected(id: string, data: Record<string, unknown> = { amount: "10.50" }): Promise<string> {
  const body = await bodyOf(id);
  return JSON.stringify({ ...body, data: { ...body.data, ...data } });
}
const propose = async (id: string, text?: string, ctx: EngineContext = mira(), key?: string) => {
  const body = text ?? (await corrected(id));
  const request = asked("outbox.correct", { type: "outbox", id }, correctionInput(body), key);
  return proposeCorrection(ctx, request, id, body);
};
const planOf = async (id: string): Promise<string> => String((await propose(id)).answer.after["planId"]);
const decide = (planId: string, decision: "approve" | "reject" = "approve", ctx: EngineContext = ines()) =>
  decidePlan(ctx, asked("plans.decide", { type: "plan", id: planId }, { decision }), planId, {
    decision,
    start: true,
  });
const messages = (aggregate: string) =>
  env.rows<{
    id: string;
    state: string;
    position: bigint;
    topic: string;
    operation_id: string;
    payload: { id: string; data: object };
    headers: object;
  }>(
    "select id, state, position, topic, operation_id, payload, headers from onceboard.outbox_messages where aggregate_id = $1 order by created_at",
    aggregate,
  );
const letter = async (id: string) =>
  (
    await env.rows<{ settlement: string | null; corrected_by: string | null; settled_by: string | null }>(
      "select settlement, corrected_by, settled_by from onceboard.dead_letters where message_row_id = $1",
      id,
    )
  )[0];
const correction = async (planId: string) =>
  (
    await env.rows<{ body: Buffer | null; new_message_id: string | null; changes: unknown }>(
      "select body, new_message_id, changes from onceboard.message_corrections where plan_id = $1",
      planId,
    )
  )[0];

describe("a proposal", () => {
  it("CORRECT-1 keeps the body sealed and names only paths in the open", async () => {
    const id = await dead();
    const { answer } = await propose(id);
    expect(answer).toMatchObject({
      action: "outbox.correct",
      changed: true,
      after: { state: "dead", planState: "awaiting_approval", changes: [{ path: "data.amount", kind: "changed" }] },
    });
    const planId = String(answer.after["planId"]);
    const row = await correction(planId);
    expect(row?.body?.includes("10.50")).toBe(false);
    expect(row?.changes).toEqual([{ path: "data.amount", kind: "changed" }]);
    const [kept] = await env.rows<{ audit: string; items: string }>(
      `select (select string_agg(a::text, '') from onceboard.audit_entries a where a.subject_id = $1) as audit,
         (select string_agg(i::text, '') from onceboard.plan_items i where i.plan_id = $2) as items`,
      id,
      planId,
    );
    expect(`${String(kept?.audit)}${String(kept?.items)}`).not.toContain("10.50");
    const plan = await readPlan(ines(), { id: planId, filters: { show: "all" } });
    expect(plan).toMatchObject({
      state: "awaiting_approval",
      kind: "correct_dead_letter",
      correction: { messageId: id, changes: [{ path: "data.amount", kind: "changed" }] },
      actions: { decide: { allowed: true } },
    });
    expect((await listApprovals(ines())).waiting.find((row) => row.id === planId)).toMatchObject({
      correction: { messageId: id },
    });
  });

  it("is made once: the same key again is the first answer, and another body under it is refused", async () => {
    const id = await dead();
    const key = uuidv7();
    const text = await corrected(id);
    const first = await propose(id, text, mira(), key);
    expect(await propose(id, text, mira(), key)).toEqual({ ...first, replayed: true });
    await expect(propose(id, await corrected(id, { amount: "11" }), mira(), key)).rejects.toMatchObject({
      code: "idempotency.payload_mismatch",
    });
    await expect(propose(id)).rejects.toMatchObject({
      code: "correction.not_possible",
      message: "Nothing was sent. A correction of it waits for approval.",
    });
  });

  it.each<[string, (body: Record<string, unknown> & { data: object }) => string, string]>([
    ["no JSON", () => "{", "not_json"],
    ["the same body", (body) => JSON.stringify(body), "unchanged"],
    ["a number in another notation", (body) => JSON.stringify(body).replace("10.5,", "10.50,"), "unchanged"],
    ["another id", (body) => JSON.stringify({ ...body, id: uuidv7() }), "kept"],
    ["another tenant", (body) => JSON.stringify({ ...body, tenant: "globex" }), "kept"],
    ["another operation", (body) => JSON.stringify({ ...body, data: { ...body.data, operationId: uuidv7() } }), "kept"],
    ["too many digits", (body) => JSON.stringify(body).replace("10.5,", "12345678901234567890,"), "inexact"],
    [
      "too many bytes",
      (body) => JSON.stringify({ ...body, data: { ...body.data, x: "x".repeat(140_000) } }),
      "too_large",
    ],
    ["what jsonb cannot hold", (body) => JSON.stringify({ ...body, data: { ...body.data, x: "\0" } }), "not_storable"],
  ])("with %s is refused, and nothing is recorded", async (_name, edit, problem) => {
    const id = await dead();
    await expect(propose(id, edit(await bodyOf(id)))).rejects.toMatchObject({
      code: "validation.correction",
      extensions: { problem },
    });
    expect(await env.rows("select 1 from onceboard.message_corrections where message_id = $1", id)).toEqual([]);
  });

  it("is for who may act: a viewer and an approver may not ask", async () => {
    const id = await dead();
    for (const role of ["viewer", "approver", "auditor"] as const)
      await expect(propose(id, undefined, env.context({ actor: operator(role) }))).rejects.toMatchObject({
        code: "auth.forbidden",
      });
  });
});

describe("what is offered", () => {
  const why = async (id: string): Promise<string> => {
    const action = (await readOutboxMessage(mira(), { id }))?.actions.find((each) => each.action === "correct");
    return action?.whyNot ?? "offered";
  };
  const rejected = async (id: string) =>
    expect(await propose(id).catch((error: unknown) => error)).toMatchObject({ code: "correction.not_possible" });

  it.each([
    ["delivery.http_422", "offered"],
    ["delivery.too_large", "offered"],
    [
      "delivery.timeout",
      "The receiver may have acted on it: 1 attempt ended without a clear refusal (delivery.timeout)",
    ],
    ["delivery.http_500", "without a clear refusal (delivery.http_500)"],
    ["delivery.http_409", "without a clear refusal (delivery.http_409)"],
    ["webhook.endpoint_deleted", "without a clear refusal"],
  ])("CORRECT-2 after %s: %s", async (code, words) => {
    const id = await dead(code);
    expect(await why(id)).toContain(words);
    if (words !== "offered") await rejected(id);
  });

  it("is not offered of what is not dead, is about an unknown operation, a mail, or in a consumer's inbox", async () => {
    const waiting = await env.outbox();
    expect(await why(waiting)).toBe("Queued; will be sent automatically.");
    await relay(env.context(), accepting);
    expect(await why(waiting)).toMatch(/^It was published/);
    const operationId = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY" });
    const unknown = await dead(undefined, { operationId });
    expect(await why(unknown)).toBe("The outcome of its operation is unknown: settle that first.");
    expect(await why(await dead(undefined, { topic: "mail" }))).toContain("A mail is written when it is sent");
    const held = await dead();
    await receive(env.context(), createConsumerRegistry([]), {
      source: "onceboard",
      messageId: held,
      type: "payment.succeeded",
      payload: {},
      payloadBytes: Buffer.from("{}"),
      headers: {},
    });
    expect(await why(held)).toContain("has a message of this id");
    await rejected(held);
  });

  it("is not offered where a try was lost, or is not on record any more", async () => {
    const lost = await dead();
    await env.rows(
      `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome)
       values ($1, (now() at time zone 'utc')::date, gen_random_uuid(), 'outbox', $2, 'payments', 1, 1, now(), 'lost')`,
      TENANT,
      lost,
    );
    expect(await why(lost)).toContain("1 attempt ended without a clear refusal (lost)");
    const purged = await dead();
    await env.rows("delete from onceboard.message_attempts where message_row_id = $1", purged);
    expect(await why(purged)).toContain("not all of its attempts are on record any more");
  });

  it("says that every attempt was refused, or never left, exactly where the rows say so", async () => {
    const again = async (id: string, code: string) => {
      await messageAction(mira(), asked("outbox.requeue", { type: "outbox", id }), { side: "outbox", id }, "requeue");
      await relay(env.context(), answering(code));
      return id;
    };
    const ids = [
      await dead(),
      await dead("delivery.http_503"),
      await dead("webhook.http_410"),
      await dead("delivery.timeout"),
      await dead("webhook.unsafe_destination"),
      await again(await dead("webhook.unsafe_destination"), "webhook.unsafe_destination"),
      await again(await dead("webhook.unsafe_destination"), "webhook.http_422"),
    ];
    const facts = await readCorrectionFacts(env.owner.pool, env.context(), ids);
    const UNSENT = "a.error_code = 'webhook.unsafe_destination'";
    const oracle = await env.rows<{ id: string; tries: number; refused: number; unsent: number }>(
      `select m.id, count(*)::int as tries, count(*) filter (where ${UNSENT})::int as unsent,
         count(*) filter (where a.error_code ~ '[.]http_4[0-9][0-9]$' and a.error_code !~ '[.]http_40[89]$')::int as refused
       from onceboard.outbox_messages m join onceboard.message_attempts a on a.message_row_id = m.id and a.outcome <> 'lost'
       where m.id = any ($1) group by m.id`,
      ids,
    );
    const said = oracle.map(({ id, tries, refused, unsent }) => {
      const [sentence = ""] = judgeCorrection(facts.get(id)).why.split(" (");
      const which = tries === 1 ? "The only attempt" : `All ${String(tries)} attempts`;
      const was = tries === 1 ? "was" : "were";
      if (refused === tries) expect(sentence).toBe(`${which} ${was} refused`);
      else if (unsent === tries) expect(sentence).toBe(`${which} never left`);
      else if (refused + unsent === tries) expect(sentence).toBe(`${which} ${was} refused or never left`);
      else expect(CORRECTION_OFFERED.some(({ holds }) => holds(facts.get(id) as CorrectionFacts))).toBe(false);
      return sentence;
    });
    expect(new Set(said).size).toBe(5);
  });
});

describe("an approval", () => {
  it("CORRECT-3 sends one new message in the place of the old one, and ends the old one for good", async () => {
    const aggregate = uuidv7();
    const operationId = uuidv7();
    const id = await dead(undefined, { aggregate, operationId });
    const behind = await env.outbox({ aggregate });
    const planId = await planOf(id);
    const { answer } = await decide(planId);
    const newId = String(answer.after["newMessageId"]);
    expect(answer).toMatchObject({ changed: true, after: { state: "done", messageId: id } });
    // What stays: everything but id, body, times and attempts.
    const same = await env.rows(
      `select distinct tenant_id, operation_id, aggregate_type, aggregate_id, topic, type, position, headers - 'corrects' as headers
       from onceboard.outbox_messages where id = any ($1)`,
      [id, newId],
    );
    expect(same).toHaveLength(1);
    const rows = await messages(aggregate);
    const [old, sent] = [rows.find((row) => row.id === id), rows.find((row) => row.id === newId)];
    expect(old).toMatchObject({ state: "discarded", payload: { data: { amount: 10.5 } } });
    expect(sent).toMatchObject({
      state: "pending",
      position: old?.position,
      topic: old?.topic,
      operation_id: operationId,
      headers: { corrects: id },
      payload: { id: newId, data: { amount: "10.50" } },
    });
    expect(await letter(id)).toMatchObject({ settlement: "corrected", corrected_by: newId });
    expect(await correction(planId)).toMatchObject({ body: null, new_message_id: newId });
    // In order: the corrected one, then what waited behind the dead one.
    const order: string[] = [];
    const recording = through((delivery) => {
      order.push(delivery.id);
      return { kind: "acknowledged" };
    });
    await env.rows("update onceboard.outbox_messages set next_attempt_at = now() where aggregate_id = $1", aggregate);
    await relay(env.context(), recording);
    await relay(env.context(), recording);
    expect(order).toEqual([newId, behind]);
    expect(await readOutboxMessage(mira(), { id })).toMatchObject({ state: "discarded", correctedBy: newId });
    expect(await readOutboxMessage(mira(), { id: newId })).toMatchObject({ state: "published", corrects: id });
    expect(await readPlan(mira(), { id: planId, filters: { show: "all" } })).toMatchObject({
      state: "done",
      correction: { messageId: id, newMessageId: newId },
    });
    // A proof counts the new one in the place of the old one.
    const proven = await selectProofOutbox(
      env.owner.pool,
      { tenantId: TENANT, operationId },
      new Date(0).toISOString(),
    );
    expect(proven.rows.map((row) => [row.id, row.state])).toEqual([[newId, "published"]]);
    const audit = await env.rows<{ action: string; after: object; evidence: object }>(
      "select action, after, evidence from onceboard.audit_entries where subject_id = $1 order by sequence",
      id,
    );
    expect(audit).toMatchObject([
      { action: "outbox.correct", after: { planId } },
      { action: "outbox.correct", after: { correctedBy: newId }, evidence: { planId } },
    ]);
  });

  it("CORRECT-3 a corrected message is never requeued or discarded, by a person or by a plan", async () => {
    const id = await dead();
    const [found] = await env.rows<{ id: string }>(
      "select id from onceboard.dead_letters where message_row_id = $1",
      id,
    );
    await decide(await planOf(id));
    for (const verb of ["requeue", "discard"] as const) {
      const request = asked(`outbox.${verb}`, { type: "outbox", id });
      const { answer } = await messageAction(env.context({ actor: operator() }), request, { side: "outbox", id }, verb);
      expect(answer).toMatchObject({ changed: false, skipped: [{ why: saying("It was corrected") }] });
      const kind = `${verb}_dead_letters` as const;
      const wish = { kind, scope: { by: "ids", ids: [found?.id ?? ""] } } as const;
      const plan = await createPlan(
        env.context({ actor: operator() }),
        asked("plans.create", { type: "plan", id: "new" }, { kind }),
        wish,
      );
      const row = await readPlan(mira(), { id: String(plan.answer.after["planId"]), filters: { show: "all" } });
      expect(row?.items.rows).toMatchObject([{ state: "skipped", verdictReason: saying("corrected it") }]);
    }
  });

  it("CORRECT-4 is never given by who asked, nor by who made a key of them, nor by a program, nor in SQL", async () => {
    const id = await dead();
    const ada = env.context({ actor: operator("admin", "op-ada") });
    const planId = String((await propose(id, undefined, ada)).answer.after["planId"]);
    await expect(decide(planId, "approve", ada)).rejects.toMatchObject({ code: "plan.own_request" });
    const program = env.context({ actor: { kind: "client", id: "cl-1", name: "till", scopes: ["admin"] } as never });
    await expect(decide(planId, "approve", program)).rejects.toMatchObject({ code: "auth.person_only" });
    await env.rows("update onceboard.plans set state = 'running', decided_by = created_by where id = $1", planId);
    const sent = { planId, newId: uuidv7(), payload: "{}", actor: "Ada", reason: "x", outcome: "x", tieDays: 30 };
    expect(await correctOutbox(env.db.pool, TENANT, sent)).toBe("running");
    expect(await letter(id)).toMatchObject({ settlement: null });
  });

  it.each(["requeued", "discarded", "published"] as const)(
    "CORRECT-3 sends nothing when the old message was %s meanwhile, and stays undecided",
    async (what) => {
      const aggregate = uuidv7();
      const id = await dead(undefined, { aggregate });
      const planId = await planOf(id);
      const verb = what === "discarded" ? "discard" : "requeue";
      await messageAction(mira(), asked(`outbox.${verb}`, { type: "outbox", id }), { side: "outbox", id }, verb);
      if (what === "published") await relay(env.context(), accepting);
      await expect(decide(planId)).rejects.toMatchObject({ code: "correction.not_possible", status: 409 });
      expect((await messages(aggregate)).filter((row) => row.id !== id)).toEqual([]);
      const plan = await readPlan(ines(), { id: planId, filters: { show: "all" } });
      expect(plan).toMatchObject({ state: "awaiting_approval", correction: { whyNot: saying(".") } });
      await decide(planId, "reject");
      expect(await correction(planId)).toMatchObject({ body: null, new_message_id: null });
    },
  );

  it("CORRECT-3 corrections in a row share a place in the order: each list has all of them, the newest last, and one can leave", async () => {
    const aggregate = uuidv7();
    const operationId = uuidv7();
    const first = await dead(undefined, { aggregate, operationId });
    const behind = await env.outbox({ aggregate, operationId });
    const ids = [first];
    const refusing = answering("delivery.http_422");
    for (let n = 0; n < 4; n += 1) {
      const last = ids.at(-1) ?? "";
      const { answer } = await propose(last, await corrected(last, { amount: `10.5${String(n)}` }));
      const planId = String(answer.after["planId"]);
      const newId = String((await decide(planId)).answer.after["newMessageId"]);
      if (n < 3) await relay(env.context(), refusing);
      ids.push(newId);
    }
    const rows = await messages(aggregate);
    const places = rows.filter(({ id }) => id !== behind).map(({ position }) => position);
    expect([places.length, new Set(places).size]).toEqual([5, 1]);
    // Whatever row a page ends at, the next one goes on after it.
    for (const state of ["discarded", "open"] as const) {
      const seen: string[] = [];
      let cursor: Cursor | undefined;
      for (;;) {
        const filters = { ...parseOutboxFilters({ state }).filters, aggregate };
        const page: PageRequest = { limit: 1, direction: "asc", cursor };
        const [row] = await selectOutbox(env.owner.pool, TENANT, filters, page);
        if (row === undefined) break;
        seen.push(row.id);
        cursor = { sort: "open", direction: "next", value: row.sortValue, id: row.id };
      }
      const all = state === "open" ? [ids[4], behind] : ids.slice(0, 4);
      expect(seen.toSorted()).toEqual(all.toSorted());
    }
    const chain = await selectOutboxOfOperation(env.owner.pool, TENANT, operationId, new Date(0).toISOString());
    expect(chain.map(({ id }) => id)).toEqual([...ids, behind]);
    const order: string[] = [];
    const recording = through((delivery) => {
      order.push(delivery.id);
      return { kind: "acknowledged" };
    });
    for (let n = 0; n < 2; n += 1) {
      await env.rows("update onceboard.outbox_messages set next_attempt_at = now() where aggregate_id = $1", aggregate);
      await relay(env.context(), recording);
    }
    expect(order).toEqual([ids[4], behind]);
    const open = await env.rows(
      `select position from onceboard.outbox_messages where state in ('pending', 'dead') group by 1 having count(*) > 1`,
    );
    expect(open).toEqual([]);
  });

  it("CORRECT-3 two approvals at once are one new message", async () => {
    const aggregate = uuidv7();
    const id = await dead(undefined, { aggregate });
    const planId = await planOf(id);
    const people = Array.from({ length: 6 }, (_, n) =>
      env.context({ actor: operator("approver", `op-second-${String(n)}`) }),
    );
    const answers = await Promise.allSettled(people.map((ctx) => decide(planId, "approve", ctx)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "plan.state" });
    expect((await messages(aggregate)).map(({ state }) => state).sort()).toEqual(["discarded", "pending"]);
  });

  it("CORRECT-3 is one transaction: a death at any statement leaves all as it was", async () => {
    const aggregate = uuidv7();
    const id = await dead(undefined, { aggregate });
    const planId = await planOf(id);
    const before = await state(id, planId);
    // The audit entry comes last: its failure stands for a process that is killed after everything else was written.
    await env.rows(
      "alter table onceboard.audit_entries add constraint killed check (action <> 'plans.decide') not valid",
    );
    await expect(decide(planId)).rejects.toThrow(/killed/);
    expect(await state(id, planId)).toEqual(before);
    await env.rows("alter table onceboard.audit_entries drop constraint killed");
    await decide(planId);
    expect((await messages(aggregate)).map((row) => row.state).sort()).toEqual(["discarded", "pending"]);
  });
  const state = async (id: string, planId: string) =>
    env.rows(
      `select (select json_agg(m order by m.position) from onceboard.outbox_messages m where m.aggregate_id =
           (select aggregate_id from onceboard.outbox_messages where id = $1)) as messages,
         (select json_agg(d) from onceboard.dead_letters d where d.message_row_id = $1) as letters,
         (select json_agg(p) from onceboard.plans p where p.id = $2) as plans,
         (select json_agg(i) from onceboard.plan_items i where i.plan_id = $2) as items,
         (select json_agg(c) from onceboard.message_corrections c where c.plan_id = $2) as corrections`,
      id,
      planId,
    );

  it("CORRECT-1 deletes the body with the end of its plan, also when that expires or is abandoned", async () => {
    const [first, second] = [await planOf(await dead()), await planOf(await dead())];
    await abortPlan(mira(), asked("plans.abort", { type: "plan", id: first }), first);
    expect(await correction(first)).toMatchObject({ body: null });
    await env.rows("update onceboard.plans set created_at = now() - interval '8 days' where id = $1", second);
    await expect(decide(second)).rejects.toMatchObject({ code: "plan.state" });
    await expirePlans(env.context(), 10);
    expect(await correction(second)).toMatchObject({ body: null });
    await env.rows(
      "update onceboard.plans set created_at = now() - interval '200 days', decided_at = null, ended_at = now() - interval '200 days' where id = $1",
      second,
    );
    await retain(env.context(), new Map());
    expect(await correction(second)).toBeUndefined();
  });

  it("CORRECT-1 opens nothing once retention destroyed the key of the day", async () => {
    const planId = uuidv7({ msecs: Date.now() - 3 * 86_400_000 });
    const ctx = ines();
    const body = await ctx.keyring.seal(Buffer.from("{}"), correctionSubject(TENANT, planId), "command");
    const row = { planId, messageId: uuidv7(), deadLetterId: uuidv7(), body, bytes: 2, changes: [] };
    expect(await openCorrection(ctx, row)).toBe("{}");
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await env.rows("update onceboard.data_keys set wrapped = null, destroyed_at = now() where day = $1::date", day);
    env.base.keyring.forget(TENANT, day);
    await expect(openCorrection(ctx, row)).rejects.toMatchObject({ code: "correction.body_purged" });
  });
});

describe("who looks", () => {
  it("CORRECT-5 sees values only by a reveal with a reason, which the audit keeps and a viewer has not", async () => {
    const id = await dead();
    const planId = await planOf(id);
    const body = await revealMessage(mira(), asked("bodies.reveal", { type: "outbox", id }), id);
    expect(JSON.parse(body.body ?? "")).toEqual(await bodyOf(id));
    const shown = await revealCorrection(ines(), asked("bodies.reveal", { type: "plan", id: planId }), planId);
    expect(shown.changes).toEqual([{ path: "data.amount", kind: "changed", before: "10.5", after: '"10.50"' }]);
    expect(JSON.stringify(shown.answer)).not.toContain("10.5");
    expect(
      await env.rows(
        "select action from onceboard.audit_entries where subject_id = any ($1) and action = 'bodies.reveal'",
        [id, planId],
      ),
    ).toHaveLength(2);
    for (const role of ["viewer", "auditor"] as const) {
      const ctx = env.context({ actor: operator(role) });
      await expect(revealMessage(ctx, asked("bodies.reveal", { type: "outbox", id }), id)).rejects.toMatchObject({
        code: "auth.forbidden",
      });
      await expect(
        revealCorrection(ctx, asked("bodies.reveal", { type: "plan", id: planId }), planId),
      ).rejects.toMatchObject({ code: "auth.forbidden" });
    }
    await decide(planId);
    const after = await revealCorrection(ines(), asked("bodies.reveal", { type: "plan", id: planId }), planId);
    expect(after.changes).toContainEqual({ path: "data.amount", kind: "changed", before: "10.5", after: '"10.50"' });
  });
});
