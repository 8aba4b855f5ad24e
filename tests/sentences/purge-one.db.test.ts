import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { purgeBody } from "@/console/actions/body-actions";
import type { Actor } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

const ADMIN: Actor = {
  kind: "operator",
  id: "op-1",
  name: "Ada",
  role: "admin",
  confirmation: { fresh: true, by: ["password"] },
};
const pay = (key: string, amountMinor: bigint) =>
  execute(env.context(), env.operations.createPayment, {
    key,
    command: { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: key, channel: "web" },
    receivedAt: 0,
  });

it("RETENTION-5 a purge of one operation deletes its bodies and its conflicts' commands, and nothing else of it", async () => {
  for (const key of ["one", "other"]) {
    expect((await pay(key, 4_200n)).outcome).toBe("executed");
    expect((await pay(key, 9_900n)).outcome).toBe("conflict");
  }
  const requests = () =>
    env.rows<{ id: string }>(
      "select operation_id as id, key, fingerprint, state, response_status from onceboard.idempotency_requests where key in ('one', 'other') order by key",
    );
  const [one, other] = (await requests()).map(({ id }) => id);
  const bodies = (id?: string) => env.rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", id);
  const events = async (id?: string) =>
    (
      await env.rows<{ type: string; command: boolean }>(
        "select type, command is not null as command from onceboard.idempotency_events where operation_id = $1 order by at, id",
        id,
      )
    ).map(({ type, command }) => `${type}${command ? " with its command" : ""}`);
  // Claimed, executed and the conflict: they are written after the answer, in no set order.
  for (const id of [one, other]) {
    await expect.poll(() => events(id)).toHaveLength(3);
    expect(await events(id)).toContain("conflict with its command");
  }
  const [before, told] = [await requests(), await events(one)];

  const request = {
    action: "operations.purge_body",
    idempotencyKey: uuidv7(),
    input: {},
    subject: { type: "operation", id: one ?? "" },
    reason: "the customer asked",
    receivedAt: 0,
  } as const;
  expect((await purgeBody({ ...env.context(), actor: ADMIN }, request, one ?? "")).answer).toMatchObject({
    changed: true,
    after: { bodyRows: 2 },
  });

  expect(await bodies(one)).toEqual([]);
  expect(await events(one)).toEqual([...told.map((each) => each.replace(" with its command", "")), "body_purged"]);
  expect(await requests()).toEqual(before);
  expect(
    await env.rows("select reason from onceboard.audit_entries where subject_id = $1 and action like '%purge%'", one),
  ).toEqual([{ reason: "the customer asked" }]);
  expect([(await bodies(other)).length, (await events(other)).includes("conflict with its command")]).toEqual([
    2,
    true,
  ]);

  // The key runs no second time, and its answer is told by reference.
  const ledger = (await env.ledger()).length;
  expect((await pay("one", 4_200n)).outcome).toBe("purged");
  expect((await env.ledger()).length).toBe(ledger);
});
