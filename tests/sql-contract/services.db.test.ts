import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readOperation } from "@/console/read/operations/read-operation";
import { selectKinds } from "@/db/kinds/operation-kinds";
import { requestRecovery, selectOperatorRequests, withdrawRequest } from "@/db/recovery/operator-requests";
import type { OperatorAction } from "@/domain/operation-kind";
import { recoverDue } from "@/engine/recover/recover-due";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { serviceOf, type Service } from "./testing/clients";
import { LANGUAGES, missingProgram, type Language } from "./testing/languages";
import { openServiceLogin, type ServiceLogin } from "./testing/service-login";

/** One service in three languages on a real database: what operators ask of it, and the messages of its consumer. */

const SKIPPED = process.env["SQL_CONTRACT"] === "skip";

for (const language of LANGUAGES) {
  const missing = SKIPPED ? "SQL_CONTRACT=skip" : missingProgram(language);
  if (missing !== undefined)
    process.stderr.write(`The service in ${language.name} is not tested (${SKIPPED ? missing : `no ${missing}`}).\n`);
  describe.skipIf(missing !== undefined)(`SQL-4 a service in ${language.name}`, () => cases(language));
}

function cases({ build, owner }: Language): void {
  let environment: TestEnvironment;
  let login: ServiceLogin;
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "onceboard-service-"));
    const command = build(folder);
    environment = await createTestEnvironment();
    login = await openServiceLogin(environment.owner, environment.ownerUrl);
    service = serviceOf(command, login.url);
    await service.run(["register"]);
  });
  afterAll(async () => {
    await login.drop();
    await environment.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let key: string;
  beforeEach(() => {
    key = `inv-${randomUUID()}`;
  });
  const issue = (amount = "1999") => ["issue", key, "cus_1", amount];
  const operationId = async () =>
    (
      await environment.rows<{ id: string }>(
        "select operation_id as id from onceboard.idempotency_requests where key = $1",
        key,
      )
    )[0]?.id ?? "";
  const leaseOver = () =>
    environment.rows(
      "update onceboard.idempotency_open set locked_until = now() - interval '2 minutes' where key = $1 and locked_until is not null",
      key,
    );
  const letters = async () =>
    (
      await environment.rows<{ asked: number }>(
        "select l.asked from mailhouse.letters l join billing.invoices i on 'invoice_' || i.id = l.provider_key where i.operation_id = $1",
        await operationId(),
      )
    ).map((row) => row.asked);
  const ask = async (action: OperatorAction, outcome?: "succeeded" | "failed") =>
    requestRecovery(environment.db.pool, {
      tenantId: "acme",
      id: randomUUID(),
      operationId: await operationId(),
      action,
      askedBy: "operator:op-1",
      person: "Mira",
      outcome,
      providerReference: undefined,
      evidence: outcome === undefined ? [] : ["the mail house's list"],
      reason: "the customer called",
    });
  const requests = async () => selectOperatorRequests(environment.db.pool, "acme", await operationId());
  const page = async () =>
    readOperation(
      { ...environment.context(), actor: { kind: "operator", id: "op-1", name: "Mira", role: "admin" } },
      { operationId: await operationId() },
    );
  /** Its instance died where HOLD says, and its lease is over. */
  const died = async (point: string) => {
    await (await service.hold(point, issue())).kill();
    await leaseOver();
  };
  const recover = () => service.run(["recover"], { INSTANCE: "billing-2" });
  const recovered = async (to: string) => ({ recovered: [{ operationId: await operationId(), to }] });

  it("registers what the console shows of its operation, once", async () => {
    expect(await selectKinds(environment.db.pool)).toContainEqual(
      expect.objectContaining({ name: "invoices.issue", owner, runsIn: "service", label: "Invoice", path: "provider" }),
    );
    expect(JSON.stringify(await service.run(["register"]))).not.toContain("true");
  });

  it("executes once, replays the same bytes, and refuses another command", async () => {
    const first = await service.run(issue());
    expect(first).toMatchObject({ outcome: "executed", status: 201 });
    expect(await service.run(issue())).toEqual({ ...first, outcome: "replayed" });
    expect(await service.run(issue("2000"))).toMatchObject({ outcome: "conflict" });
    expect(await letters()).toEqual([1]);
    expect((await page())?.verdict.text).toBe(
      "Executed once. Answered twice, byte-equal. Another command was refused once.",
    );
  });

  it("is asked to look: it settles by what the mail house says, and audit and history name person and service", async () => {
    await died("sent");
    expect(await ask("reconcile")).toEqual({ answer: "recorded", service: owner });
    // Our worker has no code of it, and leaves what was asked to who has.
    expect(await recoverDue(environment.context(), environment.registry, { limit: 5 })).toMatchObject({ taken: 0 });
    expect(await recover()).toEqual(await recovered("COMPLETED"));
    expect(await letters()).toEqual([1]);
    expect(await requests()).toMatchObject([{ ended: "settled", result: "COMPLETED", takenBy: "billing-2" }]);
    const seen = await page();
    expect(seen).toMatchObject({ state: "COMPLETED", fence: 2 });
    expect(seen?.audit).toMatchObject([{ actorKind: "service", actorName: owner, action: "operations.reconcile" }]);
    expect(seen?.events).toContainEqual(expect.objectContaining({ type: "reconciled", by: "billing-2" }));
    expect(await service.run(issue())).toMatchObject({ outcome: "replayed" });
  });

  it("is told what became of it: it keeps a person's decision, and never against the mail house", async () => {
    await died("marked");
    expect(await recover()).toEqual(await recovered("UNKNOWN_REQUIRES_RECOVERY"));
    await ask("resolve", "failed");
    expect(await recover()).toEqual(await recovered("FAILED_REPLAYABLE"));
    expect((await page())?.settledByHand).toMatchObject({ by: "Mira", decision: "failed" });
    expect(await service.run(issue())).toMatchObject({ outcome: "replayed", status: 422 });
    expect(await letters()).toEqual([]);

    key = `inv-${randomUUID()}`;
    await died("sent");
    await ask("resolve", "failed");
    expect(await recover()).toEqual(await recovered("UNKNOWN_REQUIRES_RECOVERY"));
    expect(await requests()).toMatchObject([{ ended: "settled", finding: "the mail house has it" }]);
  });

  it("is asked to release: the key runs again", async () => {
    await died("prepared");
    await ask("release");
    expect(await recover()).toEqual(await recovered("FAILED_RETRYABLE"));
    expect(await service.run(issue())).toMatchObject({ outcome: "executed" });
    expect(await letters()).toEqual([1]);
  });

  it("settles nothing once the request is withdrawn, also while it has it in hand", async () => {
    await died("marked");
    await recover();
    await ask("resolve", "succeeded");
    const held = await service.hold("taken", ["recover"]);
    expect(await requests()).toMatchObject([{ inHand: true, takenBy: "billing-1" }]);
    await withdrawRequest(environment.db.pool, "acme", await operationId(), "Mira");
    expect(await held.release()).toEqual(await recovered("fenced"));
    expect(await requests()).toMatchObject([{ ended: "withdrawn", withdrawnBy: "Mira" }]);
  });

  it("handles the messages of its consumer once, and says why one cannot be handled", async () => {
    await service.run(issue());
    const [paid, lost] = [`pay-${key}`, `lost-${key}`];
    expect(await service.run(["receive", paid, await operationId()])).toEqual({ outcome: "recorded" });
    expect(await service.run(["receive", paid, await operationId()])).toEqual({ outcome: "duplicate" });
    await service.run(["receive", lost, randomUUID()]);
    const { handled } = await service.run(["consume"]);
    expect(handled).toEqual(
      expect.arrayContaining([
        { messageId: paid, result: "paid" },
        { messageId: lost, result: "recorded" },
      ]),
    );
    expect(await service.run(["consume"])).toEqual({ handled: [] });
    expect(
      await environment.rows(
        "select state, result, last_error_code as code from onceboard.inbox_messages where message_id = any($1) order by state",
        [paid, lost],
      ),
    ).toEqual([
      { state: "processed", result: "paid", code: null },
      { state: "recorded", result: null, code: "billing.no_invoice" },
    ]);
  });
}
