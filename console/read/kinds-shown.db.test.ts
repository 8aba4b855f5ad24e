import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerKind } from "@/db/kinds/operation-kinds";
import { recordEvents } from "@/db/operations/record-events";
import { complete } from "@/db/operations/complete";
import { claimOperation, type MadeOperation } from "@/db/testing/factories/made-operation";
import { setPolicy } from "@/console/actions/set-policy";
import { exportList } from "@/console/exports/export-list";
import type { ExportFile } from "@/console/exports/export-file";
import { attentionSource, operationsSource } from "@/console/exports/lists/operations-source";
import { rollUpRange } from "@/db/metrics/roll-up";
import { freezeOperations, JUDGES } from "@/console/plans/operation-plans";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { rolledEvent } from "@/console/testing/roll-up-world";
import { parseMetricFilters, parseOperationFilters } from "@/presentation/filters/parsers";
import { labelOf, operationChoices, withPresent } from "@/presentation/list/operation-choices";
import { ORDER_KIND } from "@/tests/support/payment-kinds";
import { readClient } from "./access/read-client";
import { readMetrics } from "./deployment/read-metrics";
import { readPolicies } from "./deployment/read-policies";
import { find } from "./operations/find";
import { listAttention } from "./operations/list-attention";
import { listConflicts } from "./operations/list-conflicts";
import { listOperations } from "./operations/list-operations";
import { readConflict } from "./operations/read-conflict";
import { readOperation } from "./operations/read-operation";

const MINUTE_MS = 60_000;
const signer = createProofSigner("a secret of this test");
const ALL = parseOperationFilters({ range: "all" }).filters;
/** Nobody registered it; a service registered the other one. */
const UNKNOWN = "orders.place";
const REGISTERED = ORDER_KIND.name;
const NAMED = [
  { operation: UNKNOWN, kind: UNKNOWN, route: UNKNOWN },
  { operation: REGISTERED, kind: "Shipment", route: "POST /orders/{id}/shipment" },
] as const;

let desk: Desk;
const made = new Map<string, Record<"done" | "doubt", MadeOperation> & { readonly eventId: string }>();
const its = (operation: string) => made.get(operation) ?? expect.fail(`nothing was made of ${operation}`);
beforeAll(async () => {
  desk = await openDesk();
  await registerKind(desk.context().db.pool, ORDER_KIND);
  for (const { operation } of NAMED) {
    await desk.rows(
      "insert into onceboard.api_clients (tenant_id, id, name, scopes) values ('acme', $1, $2, '{}')",
      uuidv7(),
      operation,
    );
    made.set(operation, {
      done: await shipped(operation),
      doubt: await desk.make.unknown({ operation }),
      eventId: (await desk.make.withConflict({ operation, client: operation })).eventId,
    });
  }
  // Ten minutes ago: the minute is closed and settled.
  const closed = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
  const answers = NAMED.map(({ operation }) => rolledEvent(closed, { tenantId: "acme", operation, client: operation }));
  await recordEvents(desk.context().db.pool, answers);
  const [from, to] = [new Date(closed), new Date(closed + MINUTE_MS)];
  await rollUpRange(desk.context().db.pool, { tenantId: "acme", from, to, settleSeconds: 60 });
});
afterAll(() => desk.close());

/** As a service ends it: in one transaction of its own, with its event. */
async function shipped(operation: string): Promise<MadeOperation> {
  const q = desk.context().db.pool;
  const claimed = await claimOperation({ q, tenantId: "acme" }, { operation });
  const { operationId, fence, paymentId: id } = claimed;
  const about = { aggregateType: "order", aggregateId: id, payload: {}, headers: {} };
  await complete(q, {
    ...{ tenantId: "acme", operationId, fence, state: "COMPLETED", status: 201, schemaVersion: "1" },
    ...{
      resourceType: "order",
      resourceId: id,
      errorCode: undefined,
      headers: {},
      bodySealed: undefined,
      replay: "none",
    },
    outbox: [{ id: uuidv7(), topic: "orders", type: "order.shipped", ...about }],
  });
  return claimed;
}

async function rowsOf({ chunks }: ExportFile): Promise<readonly Record<string, unknown>[]> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return (JSON.parse(text) as { readonly rows: readonly Record<string, unknown>[] }).rows;
}

describe.each(NAMED)("an operation $operation, shown as $kind", ({ operation, kind, route }) => {
  it("stands in the list of operations, in the queue of doubt and in the exports of both", async () => {
    const list = await listOperations(desk.context(), { filters: { ...ALL, operation } });
    expect(list.kind === "page" && list.rows.map((row) => row.kind)).toEqual([kind, kind, kind]);
    const queue = (await listAttention(desk.context(), {})).list;
    const row = queue.kind === "page" ? queue.rows.find((one) => one.operation === operation) : undefined;
    expect(row).toMatchObject({ kind, known: expect.stringContaining("Not asked yet.") as unknown });
    const files = [
      await exportList(desk.context(), {
        ...{ list: "operations", format: "json", filters: {} },
        source: operationsSource("acme", { ...ALL, operation }),
      }),
      await exportList(desk.context(), {
        ...{ list: "attention", format: "json", filters: {} },
        source: attentionSource("acme"),
      }),
    ];
    for (const file of files) expect((await rowsOf(file)).map((one) => one["operation"])).toContain(operation);
  });

  it("has a page of its own, on which only its service settles it", async () => {
    const detail = await readOperation(desk.context(), { operationId: its(operation).doubt.operationId });
    expect(detail).toMatchObject({ kind, route, runsIn: "service" });
    expect(detail?.verdict.text).not.toMatch(/[Ll]edger/);
    const whyNot = detail?.actions.find(({ action }) => action === "resolve_succeeded")?.whyNot;
    expect(whyNot).toBeDefined();
    const found = await find(desk.context(), { q: its(operation).done.key });
    expect(found.kind === "found" && found.targets.map(({ label }) => label)).toEqual([expect.stringContaining(kind)]);
  });

  it("stands among the conflicts, with a text for its client", async () => {
    const view = await listConflicts(desk.context(), { range: "24h" });
    expect(view.groups.find((group) => group.operation === operation)).toMatchObject({ kind, route });
    const conflict = await readConflict(desk.context(), { eventId: its(operation).eventId });
    expect(conflict).toMatchObject({ kind, route });
    expect(conflict?.message).toContain(operation === UNKNOWN ? "1 orders.place request was" : "1 shipment was");
    expect(conflict?.message).toContain("We refused it; it did not run.");
  });

  it("stands on the page of its client and as a line of the measures", async () => {
    const client = await readClient(desk.context(), { client: operation, range: "24h" });
    expect(client?.conflicts.map((group) => group.kind)).toEqual([kind]);
    const { filters } = parseMetricFilters({ range: "1h", group: "operation" });
    const { charts } = await readMetrics(desk.context("viewer"), filters);
    const lines = charts.find(({ name }) => name === "executed")?.series.map(({ label }) => label);
    expect(lines).toContain(operation);
  });

  it("is named in a plan, which leaves it to its service", async () => {
    const ctx = desk.context();
    const scope = { by: "ids", ids: [its(operation).doubt.operationId] } as const;
    const items = await freezeOperations(ctx.db.pool, ctx, JUDGES.reconcile, scope, 10);
    expect(items).toMatchObject([{ label: { operation, kind }, acts: false }]);
  });

  it("is proven by what is expected of it", async () => {
    const { operationId } = its(operation).done;
    const view = await readProof(desk.context(), { operationId, signer, deployment: "https://pay.example.com" });
    expect(view?.about).toEqual({ kind, route });
    const once = operation === UNKNOWN ? "It ran once." : "The order was shipped once.";
    expect(view?.verdict.text.startsWith(once), view?.verdict.text).toBe(true);
    const event = view?.proof.claims.find(({ name }) => name === "one_event");
    expect(event?.status).toBe(operation === UNKNOWN ? undefined : "holds");
    expect(view?.proof.claims.map(({ name }) => name)).not.toContain("one_payment");
  });
});

it("filters offer what is registered, and keep the name of what is not", async () => {
  const choices = operationChoices(await desk.context().kinds.all());
  expect(choices).toContainEqual({ value: REGISTERED, label: "Shipment" });
  expect(choices.at(-1)).toEqual({ value: "admin.", label: "Console actions" });
  expect(labelOf(choices, REGISTERED)).toBe("Shipment");
  expect(labelOf(choices, UNKNOWN)).toBe(UNKNOWN);
  expect(withPresent(choices, UNKNOWN).at(-1)).toEqual({ value: UNKNOWN, label: UNKNOWN });
  expect(withPresent(choices, REGISTERED)).toBe(choices);
});

it("the page of policies names the operations of services with what is set for them", async () => {
  const owners = [{ name: "payments.create", policy: {} }];
  const view = await readPolicies(desk.context("viewer"), owners);
  expect(view.operations.map(({ kind }) => kind)).toEqual(["Payment"]);
  const shipment = { operation: REGISTERED, kind: "Shipment", route: ORDER_KIND.route, owner: "warehouse" };
  expect(view.elsewhere).toEqual([{ ...shipment, bodyTtlHours: 24, overrides: {}, version: 0 }]);
  const origin = { idempotencyKey: "policy-1", receivedAt: performance.now(), reason: "their window is too short" };
  const change = { operation: REGISTERED, overrides: { ttlHours: 48, bodyTtlHours: 12 }, expectedVersion: 0 };
  await setPolicy(desk.context("admin"), owners, origin, change);
  expect((await readPolicies(desk.context("viewer"), owners)).elsewhere).toEqual([
    { ...shipment, bodyTtlHours: 12, overrides: { ttlHours: 48, bodyTtlHours: 12 }, version: 1 },
  ]);
  await expect(
    setPolicy(
      desk.context("admin"),
      owners,
      { ...origin, idempotencyKey: "policy-2" },
      { ...change, operation: UNKNOWN },
    ),
  ).rejects.toMatchObject({ code: "policy.not_found" });
});
