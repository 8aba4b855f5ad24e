import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import type { EngineContext } from "@/engine/context";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { listOperations } from "@/console/read/operations/list-operations";
import { readConflict } from "@/console/read/operations/read-conflict";
import { readOperation } from "@/console/read/operations/read-operation";
import { recoverDue } from "@/engine/recover/recover-due";
import { relay } from "@/engine/outbox/relay";
import { through } from "@/engine/testing/transports";
import type { OutboxDelivery } from "@/engine/outbox/transport";
import { revealBody } from "@/console/actions/body-actions";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { describeContract, findClients, invoiceService, type Service } from "./testing/clients";
import { openServiceLogin, type ServiceLogin } from "./testing/service-login";

/** tests/sql-contract/invoices.py against a real database, and what a person sees of its operations (docs/SQL-CONTRACT.md). */

const SKIPPED = process.env["SQL_CONTRACT"] === "skip";

let environment: TestEnvironment;
let login: ServiceLogin;
let service: Service;
beforeAll(async () => {
  if (SKIPPED) return;
  const { python } = findClients();
  environment = await createTestEnvironment();
  login = await openServiceLogin(environment.owner, environment.ownerUrl);
  service = invoiceService(python, login.url);
});
afterAll(async () => {
  if (SKIPPED) return;
  await login.drop();
  await environment.close();
});

let number = 0;
let key: string;
beforeEach(() => {
  number += 1;
  key = `inv-${String(number)}`;
});
const issue = (amount = "1999") => ["issue", key, "cus_1", amount];
const OTHER = { INSTANCE: "billing-2" };

const looking = (): EngineContext => ({
  ...environment.context(),
  actor: { kind: "operator", id: "op-1", name: "Mira", role: "admin", confirmation: { fresh: true, by: ["password"] } },
});
const operationId = async () =>
  (
    await environment.rows<{ operation_id: string }>(
      "select operation_id from onceboard.idempotency_requests where key = $1",
      key,
    )
  )[0]?.operation_id ?? "";
/** The operation's page. */
async function page() {
  const detail = await readOperation(looking(), { operationId: await operationId() });
  if (detail === undefined) throw new Error(`no operation of key ${key}`);
  return detail;
}
type Page = Awaited<ReturnType<typeof page>>;
const chain = ({ chain: { stations } }: Page) => Object.fromEntries(stations.map((each) => [each.name, each.facts]));
const why = ({ actions }: Page, name: string) => actions.find((each) => each.action === name)?.whyNot;
const leaseOver = () =>
  environment.rows(
    "update onceboard.idempotency_open set locked_until = now() - interval '2 minutes' where key = $1 and locked_until is not null",
    key,
  );
const mails = async () =>
  (
    await environment.rows<{ asked: number }>(
      "select l.asked from mailhouse.letters l join billing.invoices i on 'invoice_' || i.id = l.provider_key where i.operation_id = $1",
      await operationId(),
    )
  ).map((row) => row.asked);
const deliver = async () => {
  const seen: OutboxDelivery[] = [];
  await relay(
    environment.context(),
    through((delivery) => {
      seen.push(delivery);
      return { kind: "acknowledged" };
    }),
  );
  return seen;
};

describeContract("SQL-1 a service in Python that speaks SQL only", () => {
  it("executes once, replays the same bytes, and its operation looks like any other", async () => {
    const first = await service.run(issue());
    expect(first).toMatchObject({ outcome: "executed", status: 201 });
    expect(await service.run(issue(), OTHER)).toEqual({ ...first, outcome: "replayed" });
    expect(await mails()).toEqual([1]);
    const seen = await page();
    expect(seen.verdict.text).toBe("Executed once. Answered twice, byte-equal.");
    expect(seen).toMatchObject({
      state: "COMPLETED",
      client: "billing",
      money: { display: "€19.99" },
      responseStatus: 201,
    });
    expect(chain(seen)).toMatchObject({
      Key: ["claimed once, by billing"],
      Operation: ["completed at fence 1"],
      Provider: ["sent once, succeeded"],
      Outbox: ["pending, 0 attempts"],
      Ledger: [],
    });
    expect(seen.requests.map((request) => [request.outcome, request.status, request.byteEqual])).toEqual([
      ["executed", 201, true],
      ["replayed", 201, true],
    ]);
    expect(seen.names).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ label: "invoice" }),
        expect.objectContaining({ label: "Provider key", value: expect.stringMatching(/^invoice_/) as string }),
        expect.objectContaining({ label: "Provider reference", value: expect.stringMatching(/^letter_/) as string }),
      ]),
    );
    expect(seen.command).toMatchObject({ fingerprintVersion: 0, body: "masked" });
    expect(seen.command.fields.map((field) => field.name)).toEqual(["amount", "customer"]);
    expect(seen.policy).toContainEqual({ label: "Decided by", value: "the service itself" });
  });

  it("leaves an outbox row that our relay delivers", async () => {
    await service.run(issue());
    const id = await operationId();
    const [delivery] = (await deliver()).filter((each) => each.body.includes(id));
    expect(delivery).toMatchObject({ topic: "invoices", type: "invoice.issued" });
    expect(JSON.parse(delivery?.body ?? "{}")).toMatchObject({
      id: delivery?.id,
      tenant: "acme",
      data: { operationId: id, customer: "cus_1", amount: "1999" },
    });
    expect(chain(await page())).toMatchObject({ Outbox: ["published to invoices"] });
  });

  it("refuses another command, and both lie side by side, field by field", async () => {
    await service.run(issue());
    expect(await service.run(issue("2000"))).toMatchObject({ outcome: "conflict" });
    expect((await page()).verdict.text).toBe("Executed once. Answered once. Another command was refused once.");
    const { groups } = await listConflicts(looking(), { operation: "invoices.issue" });
    expect(groups[0]).toMatchObject({ client: "billing", kind: "invoices.issue", differingFields: ["amount"] });
    const conflict = await readConflict(looking(), { eventId: groups[0]?.eventIds[0] ?? "" });
    expect(conflict?.verdict.text).toContain("Same key, another amount.");
    expect(conflict).toMatchObject({
      valuesShown: true,
      meaning: [{ field: "amount", first: "1999", second: "2000" }],
      same: [{ field: "customer", first: "cus_1" }, { field: "operation" }],
    });
  });

  it("tells a second caller that the first is still at it", async () => {
    const held = await service.hold("marked", issue());
    expect(await service.run(issue(), OTHER)).toEqual({ outcome: "in_progress", state: "IN_PROGRESS" });
    expect((await page()).verdict.text).toMatch(/^In progress for \d+ seconds?\. Sent to the provider once\.$/);
    expect(await held.release()).toMatchObject({ outcome: "executed" });
  });
});

describeContract("SQL-2 kill -9 in the middle of the service", () => {
  it("after the send: another instance takes over, asks by the provider key and settles; nothing is sent again", async () => {
    await (await service.hold("sent", issue())).kill();
    await leaseOver();
    const stale = await page();
    expect(stale.verdict.text).toMatch(/^Its owner has been silent for 2 minutes\. Sent to the provider once\./);
    expect(stale.chain.gap?.facts).toEqual(["nothing recorded", "after the send"]);
    expect([why(stale, "reconcile"), why(stale, "resolve_succeeded")]).toEqual([
      "Another service owns this kind of operation: it asks and settles by itself.",
      "Another service owns this kind of operation: it asks and settles by itself.",
    ]);
    expect(await service.run(["recover"], OTHER)).toEqual({
      recovered: [{ operationId: await operationId(), to: "COMPLETED" }],
    });
    expect(await mails()).toEqual([1]);
    const done = await page();
    expect(done).toMatchObject({ state: "COMPLETED", fence: 2 });
    expect(done.leases.map((lease) => [lease.owner, lease.ended])).toEqual([
      ["billing-1", "taken over by fence 2"],
      ["billing-2", "settled by a look-up"],
    ]);
    expect(await service.run(issue())).toMatchObject({ outcome: "replayed" });
    expect((await page()).verdict.text).toBe("Executed once. Answered once.");
    expect((await deliver()).map((each) => each.type)).toEqual(expect.arrayContaining(["invoice.issued"]));
  });

  it("the caller's own retry takes a stale operation over as well", async () => {
    await (await service.hold("sent", issue())).kill();
    await leaseOver();
    expect(await service.run(issue(), OTHER)).toMatchObject({ outcome: "stale", recovered: [{ to: "COMPLETED" }] });
    expect(await service.run(issue())).toMatchObject({ outcome: "replayed" });
    expect(await mails()).toEqual([1]);
  });

  it.each(["claimed", "prepared"])(
    "before the send, when %s: the key is free, and runs again under a higher fence",
    async (point) => {
      await (await service.hold(point, issue())).kill();
      await leaseOver();
      expect(await service.run(["recover"], OTHER)).toMatchObject({ recovered: [{ to: "FAILED_RETRYABLE" }] });
      expect((await page()).verdict.text).toContain(
        "Not executed. Its own service decides whether the same key runs again.",
      );
      expect(await service.run(issue())).toMatchObject({ outcome: "executed" });
      expect(await page()).toMatchObject({ state: "COMPLETED", attempts: 2, fence: 3 });
      expect(await mails()).toEqual([1]);
    },
  );

  it("marked as sent and never arrived: unknown, and not sent again blindly", async () => {
    await (await service.hold("marked", issue())).kill();
    await leaseOver();
    expect(await service.run(["recover"], OTHER)).toMatchObject({ recovered: [{ to: "UNKNOWN_REQUIRES_RECOVERY" }] });
    const seen = await page();
    expect(seen.verdict.text).toMatch(/^Outcome unknown for \d+ seconds?\. Sent to the provider once\./);
    expect(seen).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", lastFinding: "the mail house does not know it" });
    expect(await service.run(issue())).toMatchObject({ outcome: "unknown" });
    expect(await mails()).toEqual([]);
  });

  it("in the one transaction of the local path: nothing is left, and the key is new", async () => {
    const args = ["draft", key, "cus_1", "500"];
    await (await service.hold("drafted", args)).kill();
    expect(await operationId()).toBe("");
    expect(await service.run(args)).toMatchObject({ outcome: "executed" });
    expect(await service.run(args)).toMatchObject({ outcome: "replayed" });
    const seen = await page();
    expect(seen.verdict.text).toBe("Executed once. Answered twice, byte-equal.");
    // Whether claim and answer of another service were one transaction is not on record, so no page says it.
    expect(chain(seen)).toMatchObject({ Operation: ["completed at fence 1"], Provider: [] });
  });

  it("an owner that was overtaken while it slept writes nothing", async () => {
    const held = await service.hold("sent", issue());
    await leaseOver();
    await service.run(["recover"], OTHER);
    const before = await environment.rows("select * from onceboard.idempotency_requests where key = $1", key);
    expect(await held.release()).toEqual({ outcome: "fenced" });
    expect(await environment.rows("select * from onceboard.idempotency_requests where key = $1", key)).toEqual(before);
  });
});

describeContract("SQL-2 our own worker beside the service", () => {
  const tick = () => recoverDue(environment.context({ instance: "worker-1" }), environment.registry, { limit: 5 });

  it("frees what was claimed and never sent, for it has had no effect", async () => {
    await (await service.hold("claimed", issue())).kill();
    await leaseOver();
    expect(await tick()).toMatchObject({ released: 1 });
    expect(await service.run(issue())).toMatchObject({ outcome: "executed" });
    expect(await mails()).toEqual([1]);
  });

  it("settles nothing that may have been sent: it waits, unknown, for the service", async () => {
    await (await service.hold("sent", issue())).kill();
    await leaseOver();
    expect(await tick()).toMatchObject({ unknown: 1 });
    expect(await page()).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", lastFinding: "no such operation here" });
    expect(await service.run(issue(), OTHER)).toMatchObject({ outcome: "unknown", recovered: [{ to: "COMPLETED" }] });
    expect(await service.run(issue())).toMatchObject({ outcome: "replayed" });
  });
});

describeContract("what a service keeps to itself", () => {
  it("is said to be kept by the service, never to be purged or broken; nobody opens it", async () => {
    await service.run(issue(), { PRIVATE: "1" });
    expect(await service.run(issue(), { PRIVATE: "1" })).toMatchObject({ outcome: "replayed" });
    expect((await page()).command).toMatchObject({ body: "elsewhere", fields: [] });
    expect(await service.run(issue("2000"), { PRIVATE: "1" })).toMatchObject({ outcome: "conflict" });
    const { groups } = await listConflicts(looking(), { operation: "invoices.issue" });
    const conflict = await readConflict(looking(), { eventId: groups[0]?.eventIds[0] ?? "" });
    expect(conflict?.valuesNote).toBe("The service keeps its commands to itself.");
    const id = await operationId();
    const request = {
      action: "bodies.reveal",
      idempotencyKey: `reveal-${key}`,
      input: {},
      subject: { type: "operation", id },
      reason: "the customer asked",
      receivedAt: 0,
    } as const;
    const { bodies } = await revealBody(looking(), request, id);
    expect(bodies.command).toBeUndefined();
    expect(JSON.parse(bodies.response ?? "{}")).toMatchObject({ customer: "cus_1" });
  });

  it("goes with the retention like every body, and the key still answers", async () => {
    await service.run(issue(), { PRIVATE: "1" });
    const purged = { tenantId: "acme", bodyTtlHours: 24, ttls: {}, limit: 1, operationId: await operationId() };
    expect(await purgeBodiesBatch(environment.db.pool, purged)).toMatchObject({ operations: 1 });
    expect((await page()).command.body).toBe("purged");
    expect(
      await environment.rows(
        "select body_purged_at is not null as gone from onceboard.idempotency_requests where key = $1",
        key,
      ),
    ).toEqual([{ gone: true }]);
  });
});

describeContract("the list of operations", () => {
  it("shows them among the others, with answers and chain, and finds them by name, client and key", async () => {
    await service.run(issue());
    const { filters } = parseOperationFilters({ operation: "invoices.issue", client: "billing", key });
    const listed = await listOperations(looking(), { filters });
    const rows = listed.kind === "page" ? listed.rows : [];
    expect(rows.find((row) => row.key === key)).toMatchObject({
      kind: "invoices.issue",
      client: "billing",
      state: "COMPLETED",
      answers: { answers: ["executed"], total: 1 },
      chain: ["done", "done", "done", "moving", "waiting", "unused"],
    });
  });

  it("keeps the hash of what was served, so that a replay that differs would show", async () => {
    const { body } = await service.run(issue());
    expect(
      await environment.rows(
        "select encode(served_hash, 'hex') as hash from onceboard.idempotency_events where operation_id = $1 and outcome = 'executed'",
        await operationId(),
      ),
    ).toEqual([{ hash: createHash("sha256").update(String(body)).digest("hex") }]);
  });
});
