import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedAnswer } from "@/http/testing/contract";
import { openHost, type TestHost } from "@/http/testing/host";
import { personOn, type SignedInPerson } from "@/http/testing/signed-in";
import { openTill, type Till } from "@/http/testing/till";

const reason = "the merchant wants the amount as a text";

let host: TestHost;
let admin: Till;
let other: Till;
let operator: SignedInPerson;
let approver: SignedInPerson;
beforeAll(async () => {
  host = await openHost("hono");
  admin = await openTill(host, ["admin"]);
  other = await openTill(host, ["admin"], host.otherTenant);
  operator = await personOn(host, "operator");
  approver = await personOn(host, "approver");
});
afterAll(() => host.close());

/** A message that its receiver refused with its only attempt. */
async function dead(body = '{"id":"ID","type":"t","tenant":"x","data":{"amount":10.50}}'): Promise<string> {
  const [row] = await host.rows<{ id: string }>(
    `with m as (
       insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at,
         state, attempts_started, attempts_finished, last_error_code)
       select $1, g.id, 'payment', g.id::text, 'payments', 'payment.succeeded', replace($2, 'ID', g.id::text)::jsonb, now(), now(), 'dead', 1, 1,
         'delivery.http_422' from (select gen_random_uuid() as id) g returning id, created_at),
     a as (
       insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome, error_code)
       select $1, (now() at time zone 'utc')::date, gen_random_uuid(), 'outbox', m.id, 'payments', 1, 1, now(), 'dead', 'delivery.http_422' from m)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'outbox', m.id, 'payments', 'payment.succeeded', 'refused:1', 'delivery.http_422', 'refused', 1, now() from m
     returning message_row_id as id`,
    host.tenant,
    body,
  );
  return row?.id ?? "";
}
const corrected = (id: string, amount = '"10.50"') =>
  `{"id":"${id}","type":"t","tenant":"x","data":{"amount":${amount}}}`;
const propose = (who: SignedInPerson, id: string, key?: string, body = corrected(id)) =>
  who(`/outbox/${id}/correct`, { body, reason }, key);
const planOf = (answer: CheckedAnswer): string => String(answer.json?.["href"]).replace("/plans/", "");

describe("CORRECT-4 edit and requeue over HTTP", () => {
  it("goes from the body over a proposal and another person's approval to a new message", async () => {
    const id = await dead();
    const body = await operator(`/outbox/${id}/reveal`, { reason });
    expect(body.json?.["body"]).toContain("10.50");
    expect((await operator(`/outbox/${id}`)).json).toMatchObject({
      correctionNote: expect.stringContaining("The only attempt was refused (delivery.http_422).") as unknown,
    });
    const key = randomUUID();
    const proposed = await propose(operator, id, key);
    expect(proposed).toMatchObject({ status: 200, json: { changed: true } });
    const replay = await propose(operator, id, key);
    expect(planOf(replay)).toBe(planOf(proposed));
    expect(String(replay.headers["idempotent-replayed"])).toBe("true");
    const plan = planOf(proposed);
    expect((await approver(`/plans/${plan}`)).json).toMatchObject({
      kind: "correct_dead_letter",
      state: "awaiting_approval",
      correction: { messageId: id, changes: [{ path: "data.amount", kind: "changed" }] },
    });
    const shown = await approver(`/plans/${plan}/reveal`, { reason });
    expect(shown.json?.["changes"]).toEqual([
      { path: "data.amount", kind: "changed", before: "10.50", after: '"10.50"' },
    ]);
    const sent = await approver(`/plans/${plan}/decide`, { decision: "approve", start: true });
    expect(sent).toMatchObject({ status: 200, json: { message: "A new message took its place." } });
    const newId = String((sent.json?.["after"] as Record<string, unknown>)["newMessageId"]);
    expect((await operator(`/outbox/${id}`)).json).toMatchObject({ state: "discarded", correctedBy: newId });
    expect((await operator(`/outbox/${newId}`)).json).toMatchObject({ state: "pending", corrects: id });
    const [row] = await host.rows("select outcome from onceboard.plan_items where plan_id = $1", plan);
    expect(row).toEqual({ outcome: `Replaced by ${newId}.` });
    expect((await approver(`/plans/${plan}/decide`, { decision: "approve", start: true })).json).toMatchObject({
      code: "plan.state",
    });
  });

  it("asks each person what they may do", async () => {
    const id = await dead();
    for (const role of ["viewer", "auditor"] as const) {
      const who = await personOn(host, role);
      expect((await propose(who, id)).status).toBe(403);
      expect((await who(`/outbox/${id}/reveal`, { reason })).status).toBe(403);
    }
    expect((await propose(approver, id)).status).toBe(403);
    const boss = await personOn(host, "admin");
    const plan = planOf(await propose(boss, id));
    expect((await boss(`/plans/${plan}/decide`, { decision: "approve", start: true })).json).toMatchObject({
      code: "plan.own_request",
    });
    expect((await operator(`/plans/${plan}/decide`, { decision: "approve", start: true })).status).toBe(403);
    expect((await admin.post(`/admin/plans/${plan}/decide`, { decision: "approve", start: true })).json).toMatchObject({
      code: "auth.person_only",
    });
    const viewer = await personOn(host, "viewer");
    expect((await viewer(`/plans/${plan}/reveal`, { reason })).status).toBe(403);
    const page = JSON.stringify((await viewer(`/plans/${plan}`)).json);
    expect(page).toContain("data.amount");
    expect(page).not.toContain("10.50");
  });

  it("is not there for another tenant", async () => {
    const id = await dead();
    const plan = planOf(await propose(operator, id));
    for (const [path, body] of [
      [`/admin/outbox/${id}/correct`, { body: corrected(id), reason }],
      [`/admin/outbox/${id}/reveal`, { reason }],
      [`/admin/plans/${plan}/reveal`, { reason }],
    ] as const)
      expect((await other.post(path, body)).status).toBe(404);
    expect((await admin.post("/admin/outbox/none/correct", { body: "{}", reason })).status).toBe(404);
  });

  it("refuses what cannot be sent, and says where", async () => {
    const id = await dead();
    const refused = await propose(operator, id, undefined, corrected("00000000-0000-7000-8000-000000000000"));
    expect(refused).toMatchObject({
      status: 422,
      json: {
        code: "validation.correction",
        detail:
          "What names a message or its operation stays as it is, and of an event all but its data. Nothing was recorded.",
        problem: "kept",
        errors: [{ path: "id" }],
      },
    });
    expect((await propose(operator, id, undefined, "{")).json).toMatchObject({ problem: "not_json" });
    expect((await propose(operator, id, undefined, corrected(id, `"${"x".repeat(140_000)}"`))).json).toMatchObject({
      problem: "too_large",
    });
    expect((await propose(operator, id, undefined, corrected(id, `"${"x".repeat(300_000)}"`))).status).toBe(413);
    expect((await operator(`/outbox/${id}/correct`, { body: corrected(id) })).status).toBe(422);
    expect((await operator("/plans", { kind: "correct_dead_letter", ids: [id], reason })).status).toBe(422);
  });

  it("answers one clear error when the message is not dead any more", async () => {
    const id = await dead();
    const plan = planOf(await propose(operator, id));
    // Its body is there while it waits.
    expect((await operator(`/plans/${plan}/rerun`, { reason })).json).toMatchObject({
      code: "plan.state",
      detail: "Nothing was changed. It has not ended.",
    });
    await operator(`/outbox/${id}/requeue`, { reason });
    const late = await approver(`/plans/${plan}/decide`, { decision: "approve", start: true });
    expect(late).toMatchObject({ status: 409, json: { code: "correction.not_possible" } });
    expect((await approver(`/plans/${plan}/decide`, { decision: "reject", reason })).status).toBe(200);
    expect((await operator(`/plans/${plan}/rerun`, { reason })).json).toMatchObject({ code: "plan.state" });
    expect((await propose(operator, id)).json).toMatchObject({ code: "correction.not_possible" });
  });
});
