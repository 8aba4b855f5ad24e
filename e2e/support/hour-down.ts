import { expect } from "./fixtures";
import type { OutageStack } from "./outage-stack";
import { newIdempotencyKey } from "./steps";

/** As many as the outbox gives a message. */
export const OUTBOX_ATTEMPTS = 12;
const DOWN_FOR = "1 hour";

function post(stack: OutageStack, path: string, apiKey: string, body: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "idempotency-key": newIdempotencyKey("down"),
  };
  return fetch(`${stack.baseUrl}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Payments whose messages the worker tried at an endpoint that refused, was silent and failed, until they were dead; then an hour passed. */
export async function deadOfAnOutage(stack: OutageStack): Promise<readonly string[]> {
  const { receiver } = stack;
  const pay = async (amount: string): Promise<string> => {
    const body = { accountId: "acc_northgate_04", amount, currency: "EUR", merchantReference: `down-${amount}` };
    const paid = await post(stack, "/payments", stack.key, body);
    expect(paid.status, await paid.text()).toBe(201);
    return paid.headers.get("operation-id") ?? "";
  };
  // A topic that nothing was ever written to has no route.
  await pay("60.00");
  const sent = () => stack.rows("select 1 from onceboard.outbox_history");
  await expect.poll(async () => (await sent()).length).toBe(1);
  const route = {
    expectedVersion: 0,
    reason: "the ledger has a service of its own",
    transport: "http",
    destination: receiver.url,
  };
  const routed = await post(stack, "/admin/topics/payments/route", stack.adminKey, route);
  expect(routed.status, await routed.text()).toBe(200);
  await receiver.become("refusing");
  const operationIds: string[] = [];
  for (const amount of ["61.10", "61.20", "61.30"]) operationIds.push(await pay(amount));
  const state = async () => {
    const [row] = await stack.rows<{ least: number; dead: number }>(
      `select coalesce(min(attempts_finished), 0)::int as least, count(*) filter (where state = 'dead')::int as dead from onceboard.outbox_messages
       where operation_id = any ($1::uuid[])`,
      operationIds,
    );
    return row ?? { least: 0, dead: 0 };
  };
  // The waits between attempts pass at once; each attempt is the worker's own.
  const triedBy = async (attempts: number): Promise<void> => {
    const due =
      "update onceboard.outbox_messages set next_attempt_at = now() where state = 'pending' and owner is null and attempts_finished < $1";
    await expect(async () => {
      await stack.rows(due, attempts);
      expect((await state()).least).toBeGreaterThanOrEqual(attempts);
    }).toPass({ timeout: 30_000 });
  };
  await triedBy(2);
  await receiver.become("silent");
  await triedBy(3);
  await receiver.become("failing");
  await triedBy(OUTBOX_ATTEMPTS);
  expect(await state()).toEqual({ least: OUTBOX_ATTEMPTS, dead: operationIds.length });
  for (const [table, column] of [
    ["outbox_messages", "created_at"],
    ["message_attempts", "ended_at"],
    ["dead_letters", "dead_at"],
  ] as const)
    await stack.rows(
      `update onceboard.${table} set ${column} = ${column} - interval '${DOWN_FOR}' where tenant_id = 'acme'`,
    );
  return operationIds;
}
