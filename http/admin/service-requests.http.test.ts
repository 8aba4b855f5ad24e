import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CheckedAnswer } from "@/http/testing/contract";
import { openHost, type TestHost } from "../testing/host";
import { openTill, type Till } from "../testing/till";

/** Operations of a service in another language: what an operator does is recorded as a request, and the service settles. */

const SERVICE = "invoices-py";
let host: TestHost;
let admin: Till;
beforeAll(async () => {
  host = await openHost("hono");
  for (const [name, actions] of [
    ["invoices.issue", "{reconcile,resolve,release}"],
    ["invoices.look", "{reconcile}"],
  ])
    await host.rows(
      "select onceboard.register_operation_kind(p_name => $1, p_owner => $2, p_label => 'Invoice', p_path => 'provider', p_provider => 'mailhouse', p_dedupes_for_hours => 0, p_queryable => true, p_actions => $3)",
      name,
      SERVICE,
      actions,
    );
  admin = await openTill(host, ["admin"]);
});
afterAll(() => host.close());

let id: string;
beforeEach(async () => {
  id = await unknown("invoices.issue");
});

/** Calls a function as a service does. */
const call = <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  host.rows(`select * from onceboard.${text.replace(":tenant", `'${host.tenant}'`)}`, ...values);

/** An invoice that was sent, and of which nobody knows what became. */
async function unknown(operation: string): Promise<string> {
  const [operationId, request] = [randomUUID(), randomUUID()];
  await call(
    "claim(p_tenant => :tenant, p_operation => $1, p_key => $2, p_operation_id => $3, p_principal => 'billing', p_fingerprint => 'f', p_owner => 'billing-1')",
    operation,
    randomUUID(),
    operationId,
  );
  await call("prepare_provider(:tenant, $1, 1, $2, 'mail_1', 'mailhouse', 'send')", operationId, request);
  await call("mark_sent(:tenant, $1, 1, $2)", operationId, request);
  await call("mark_unknown(:tenant, $1, 1)", operationId);
  return operationId;
}
const act = (verb: string, body: unknown = { reason: "the customer called" }, key?: string): Promise<CheckedAnswer> =>
  admin.post(`/admin/operations/${id}/${verb}`, body, key === undefined ? {} : { key });
const page = async () => (await admin.get(`/admin/operations/${id}`)).json ?? {};
const resolve = { decision: "failed", evidence: ["the mail house's list"], reason: "the customer called" };
const take = (owner = "billing-2") =>
  call<{ fence: number; person: string; action: string }>(
    "claim_recovery(:tenant, $1, '{invoices.issue}', 30000, $2)",
    owner,
    id,
  );

describe("SQL-4 what an operator asks of a service", () => {
  it("is recorded once and answered with 202; the page says who asked, who took it, and what became of it", async () => {
    const key = randomUUID();
    const first = await act("reconcile", {}, key);
    expect(first.status).toBe(202);
    expect(first.json).toMatchObject({
      action: "operations.reconcile",
      changed: true,
      after: { state: "UNKNOWN_REQUIRES_RECOVERY", request: "open", service: SERVICE },
      request: { service: SERVICE, action: "reconcile", state: "open" },
      message: "invoices-py is asked. Nothing is settled yet.",
    });
    const again = await act("reconcile", {}, key);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect((await act("resolve", resolve)).json).toMatchObject({
      code: "operation.request_open",
      detail: "Withdraw the open request first. Nothing was changed.",
    });
    expect(await page()).toMatchObject({
      service: SERVICE,
      serviceRequests: [{ action: "reconcile", words: "It waits for invoices-py." }],
    });
    const [{ fence } = { fence: 0 }] = await take();
    expect(await page()).toMatchObject({
      serviceRequests: [{ words: "billing-2 has it in hand.", takenBy: "billing-2" }],
    });
    await call("complete(:tenant, $1, $2, 'COMPLETED', 201, p_replay => 'none', p_event_id => null)", id, fence);
    const done = await page();
    expect(done).toMatchObject({ state: "COMPLETED", serviceRequests: [{ words: "billing-2 completed it." }] });
    expect(done["audit"]).toMatchObject([
      { actorKind: "service", actorName: SERVICE, action: "operations.reconcile" },
      { actorKind: "client", action: "operations.reconcile" },
    ]);
  });

  it("gives the service a person's decision with its evidence; without evidence it is refused", async () => {
    expect((await act("resolve", { ...resolve, evidence: [] })).json).toMatchObject({ code: "validation.evidence" });
    expect((await act("resolve", { ...resolve, decision: "keep_waiting" })).json).toMatchObject({
      code: "operation.not_offered",
    });
    expect((await act("resolve", resolve)).status).toBe(202);
    expect(await take()).toMatchObject([{ action: "resolve" }]);
  });

  it("is refused where the service does not offer it, and for a release of what was sent", async () => {
    expect((await act("release")).json).toMatchObject({ code: "operation.not_open" });
    id = await unknown("invoices.look");
    expect((await act("resolve", resolve)).json).toMatchObject({ code: "operation.not_offered", status: 409 });
    expect((await act("propose-resolution", resolve)).json).toMatchObject({
      code: "operation.not_offered",
      status: 409,
    });
    expect((await page())["actions"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: "reconcile", allowed: true }),
        expect.objectContaining({
          action: "resolve_failed",
          whyNot: "invoices-py owns this kind of operation and does not offer this.",
        }),
      ]),
    );
  });

  it("lets the policy of a service's operation be decided here, and read by the service", async () => {
    const change = { overrides: { ttlHours: 2, leaseSeconds: 60 }, expectedVersion: 0, reason: "the printer is slow" };
    expect((await admin.post("/admin/policies/invoices.issue", change)).json).toMatchObject({ changed: true });
    expect(await call("operation_policy(:tenant, 'invoices.issue')")).toMatchObject([
      { version: 1, ttl_seconds: 7_200, lease_ms: 60_000, max_attempts: null },
    ]);
    expect((await admin.post("/admin/policies/invoices.other", change)).json).toMatchObject({
      code: "policy.not_found",
    });
  });

  it("is withdrawn once, also from the service that has it in hand: its settlement is fenced", async () => {
    expect((await act("withdraw-request")).json).toMatchObject({ code: "operation.no_request" });
    await act("resolve", resolve);
    const [{ fence } = { fence: 0 }] = await take();
    const done = await act("withdraw-request", {});
    expect(done.json).toMatchObject({ action: "operations.withdraw_request", changed: true });
    const settled = call("complete(:tenant, $1, $2, 'FAILED_REPLAYABLE', 402, p_replay => 'none')", id, fence);
    await expect(settled).rejects.toMatchObject({ code: "OB001" });
    expect(await page()).toMatchObject({
      state: "UNKNOWN_REQUIRES_RECOVERY",
      serviceRequests: [{ ended: "withdrawn", words: expect.stringMatching(/^Withdrawn by .+\.$/) as string }],
    });
  });
});
