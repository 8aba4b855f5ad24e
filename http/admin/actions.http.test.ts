import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { relay } from "@/engine/outbox/relay";
import { through } from "@/engine/testing/transports";
import { engineContext } from "@/engine/context";
import { openHost, type TestHost } from "../testing/host";
import { openTill, payment, tillOf, type Till } from "../testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

let host: TestHost;
let till: Till;
let admin: Till;
beforeAll(async () => {
  host = await openHost("hono");
  till = await openTill(host);
  admin = await openTill(host, ["admin"]);
  await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
});
afterAll(() => host.close());

const reason = "the provider is back";
const act = (path: string, body: unknown = { reason }, key?: string | null, till = admin): Promise<CheckedAnswer> =>
  till.post(`/admin${path}`, body, key === undefined ? {} : { key });
const operationOf = (answer: CheckedAnswer): string => String(answer.headers["operation-id"]);

async function unknownPayment(fault = "timeout_after_accept"): Promise<string> {
  await host.faults({ [fault]: 1 });
  const answer = await till.post("/payments", payment());
  await host.faults({ [fault]: 0 });
  expect(answer.status).toBe(504);
  return operationOf(answer);
}

describe("actions of operators over HTTP", () => {
  it("reconciles an unknown payment once; the second click is a replay, byte for byte", async () => {
    const id = await unknownPayment();
    const key = randomUUID();
    const first = await act(`/operations/${id}/reconcile`, {}, key);
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({
      action: "operations.reconcile",
      changed: true,
      affected: 1,
      skipped: [],
      before: { state: "UNKNOWN_REQUIRES_RECOVERY" },
      after: { state: "COMPLETED", finding: "succeeded" },
    });
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    const second = await act(`/operations/${id}/reconcile`, {}, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
    expect(await host.rows("select action from onceboard.audit_entries where subject_id = $1", id)).toEqual([
      { action: "operations.reconcile" },
    ]);
    const settled = await act(`/operations/${id}/reconcile`, {});
    expect(settled.json).toMatchObject({ code: "operation.not_open" });
  });

  it("ATTENTION-4 releases what was never sent, and nothing else; says who looks after what is open", async () => {
    const sent = await unknownPayment();
    expect((await act(`/operations/${sent}/release`)).json).toMatchObject({
      code: "operation.not_open",
      detail: "It was sent: its key stays until the outcome is known. Nothing was changed.",
    });
    const id = await unknownPayment("timeout_before");
    await host.rows(
      "update onceboard.idempotency_open set stage = 'LOCAL_PAYMENT_CREATED' where operation_id = $1",
      id,
    );
    const key = randomUUID();
    const released = await act(`/operations/${id}/release`, { reason }, key);
    expect(released.json).toMatchObject({ changed: true, after: { state: "FAILED_RETRYABLE" } });
    expect((await act(`/operations/${id}/release`, { reason }, key)).headers["idempotent-replayed"]).toBe("true");

    // A client of its own: a key belongs to the client's name, and the name of this one changes below.
    const renamed = tillOf(host, await host.key(["admin"], { name: "assistant" }));
    const assign = (to: "me" | "nobody") => act(`/operations/${sent}/assign`, { to }, undefined, renamed);
    expect((await assign("me")).json).toMatchObject({ changed: true, before: { assignedTo: null } });
    const inQueue = async () => {
      const list = (await admin.get("/admin/attention")).json?.["list"] as {
        readonly rows: readonly {
          readonly operationId: string;
          readonly assignedTo?: string;
          readonly state: string;
        }[];
      };
      return list.rows.find(({ operationId }) => operationId === sent);
    };
    expect(await inQueue()).toMatchObject({ assignedTo: "assistant", state: "UNKNOWN_REQUIRES_RECOVERY" });
    expect((await assign("me")).json).toMatchObject({ changed: false });
    // Who it is stays when they are called otherwise, and somebody of the same name is not them.
    const kept = "select assigned_to as id from onceboard.idempotency_open where operation_id = $1";
    const [held] = await host.rows<{ id: string }>(kept, sent);
    expect(held?.id).toMatch(/^client:/);
    const [named] = await host.rows<{ name: string }>(
      "update onceboard.api_clients set name = name || ' (renamed)' where 'client:' || id = $1 returning name",
      held?.id,
    );
    expect((await admin.get(`/admin/operations/${sent}`)).json).toMatchObject({ assignedTo: named?.name });
    await host.rows("update onceboard.idempotency_open set assigned_to = 'client:gone' where operation_id = $1", sent);
    expect((await assign("me")).json).toMatchObject({
      changed: true,
      before: { assignedTo: "client:gone", assignedToId: "client:gone" },
      after: { assignedToId: held?.id },
    });
    expect((await assign("nobody")).json).toMatchObject({ changed: true, after: { assignedTo: null } });
    expect((await inQueue())?.assignedTo).toBeUndefined();
    expect((await act(`/operations/${id}/assign`, { to: "me" })).json).toMatchObject({ code: "operation.not_open" });
    expect(
      await host.rows("select action from onceboard.audit_entries where subject_id = $1 order by sequence", sent),
    ).toEqual(Array(4).fill({ action: "operations.assign" }));
    // What is somebody's, anybody may settle.
    expect((await assign("me")).json).toMatchObject({ changed: true });
    expect((await act(`/operations/${sent}/reconcile`, {})).json).toMatchObject({ after: { state: "COMPLETED" } });
  });

  it("resolves with evidence; without it, or against a final source, nothing happens", async () => {
    const id = await unknownPayment("timeout_before");
    const decide = (over: Record<string, unknown>) =>
      act(`/operations/${id}/resolve`, { decision: "failed", evidence: ["statement: not on it"], reason, ...over });
    expect((await decide({ evidence: [] })).json).toMatchObject({ code: "validation.evidence" });
    expect((await decide({ reason: " " })).status).toBe(422);
    expect((await decide({ decision: "perhaps" })).status).toBe(422);
    await host.rows("update onceboard.provider_requests set outcome = 'succeeded' where operation_id = $1", id);
    expect((await decide({})).json).toMatchObject({
      status: 409,
      code: "operation.contradicted",
      detail: "the provider said it succeeded. Nothing was changed.",
    });
    await host.rows("update onceboard.provider_requests set outcome = 'indefinite' where operation_id = $1", id);
    const done = await decide({ evidence: { statement: "not on it" } });
    expect(done.json).toMatchObject({ changed: true, after: { state: "FAILED_REPLAYABLE" } });
    const [entry] = await host.rows<{ reason: string; evidence: unknown }>(
      "select reason, evidence from onceboard.audit_entries where subject_id = $1",
      id,
    );
    expect(entry).toMatchObject({ reason, evidence: { decision: "failed", evidence: ["statement: not on it"] } });
  });

  it("reveals and purges a body with a reason; the answer names no key of it afterwards", async () => {
    const paid = await till.post("/payments", payment());
    const id = operationOf(paid);
    expect((await act(`/operations/${id}/reveal`, {})).status).toBe(422);
    const shown = await act(`/operations/${id}/reveal`);
    expect(shown.json?.["response"]).toBe(paid.text);
    expect(String(shown.json?.["command"])).toContain("acc_1");
    expect((await act(`/operations/${id}/purge-body`)).json).toMatchObject({ changed: true, affected: 1 });
    expect((await act(`/operations/${id}/purge-body`)).json).toMatchObject({ changed: false, skipped: [{ id }] });
    const gone = await act(`/operations/${id}/reveal`);
    expect(gone.json?.["response"]).toBeUndefined();
    expect(gone.json).toMatchObject({ affected: 0, skipped: [{ why: "Its body was purged." }] });
  });

  it("requeues a dead message once", async () => {
    const paid = await till.post("/payments", payment());
    if (host.deps === undefined) throw new Error("in process only");
    const actor = { kind: "system", id: "relay", name: "relay" } as const;
    const ctx = engineContext(host.deps.engine, { tenantId: host.tenant, actor, requestId: "r" });
    await relay(
      ctx,
      through(() => ({ kind: "rejected", code: "delivery.payload_mismatch", reason: "another payload" })),
    );
    const [message] = await host.rows<{ id: string }>(
      "select id from onceboard.outbox_messages where operation_id = $1",
      operationOf(paid),
    );
    const key = randomUUID();
    const first = await act(`/outbox/${String(message?.id)}/requeue`, { reason }, key);
    expect(first.json).toMatchObject({ changed: true, before: { state: "dead" }, after: { state: "pending" } });
    const second = await act(`/outbox/${String(message?.id)}/requeue`, { reason }, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect((await act(`/inbox/${randomUUID()}/requeue`)).status).toBe(404);
  });

  it("previews a purge and runs it", async () => {
    const preview = await act("/retention/preview", {});
    expect(preview.json).toMatchObject({ operations: 0, tooBroad: false });
    const run = await act("/retention/runs");
    expect(run.json).toMatchObject({
      action: "retention.run",
      changed: false,
      affected: 0,
      after: { operations: 0, more: false },
    });
  });

  it("asks for a key and for the right to act", async () => {
    const id = randomUUID();
    expect((await act(`/outbox/${id}/requeue`, { reason }, null)).json).toMatchObject({
      code: "idempotency.key_missing",
    });
    expect((await till.post(`/admin/outbox/${id}/requeue`, { reason })).status).toBe(403);
    expect((await act("/outbox/not-an-id/requeue")).status).toBe(404);
  });
});
