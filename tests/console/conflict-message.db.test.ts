import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Actor, engineContext } from "@/engine/context";
import { readConflict } from "@/console/read/operations/read-conflict";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

const PAIRS = 20;
const FIRST = 4_200n;
const reader: Actor = { kind: "operator", id: "op", name: "op", role: "admin", confirmation: { fresh: true, by: [] } };

async function pay(client: string, key: string, amountMinor: bigint): Promise<void> {
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: key, channel: "web" };
  await execute(env.context({ client }), env.operations.createPayment, { key, command, receivedAt: 0 }).catch(
    () => undefined,
  );
}

/** @returns the text to a client that sent so many pairs, of which the first `slips` came with 100 times the amount */
async function textFor(client: string, slips: number): Promise<string> {
  for (let pair = 0; pair < PAIRS; pair += 1) {
    await pay(client, `${client}-${String(pair)}`, FIRST);
    await pay(client, `${client}-${String(pair)}`, pair < slips ? FIRST * 100n : FIRST + 1n);
  }
  const [conflict] = await env.rows<{ id: string }>(
    `select id from onceboard.idempotency_events where type = 'conflict' and client = $1 order by at desc limit 1`,
    client,
  );
  const base = env.context();
  const ctx = engineContext(base, { tenantId: base.tenantId, actor: reader, requestId: "req" });
  const detail = await readConflict(ctx, { eventId: conflict?.id ?? "" });
  if (detail === undefined) throw new Error("no conflict");
  expect(detail.group?.count).toBe(PAIRS);
  return detail.message;
}

it("says how often this command was refused, and not what else was sent under its key", async () => {
  for (const amount of [FIRST, FIRST + 1n, FIRST + 1n, FIRST + 2n]) await pay("third", "third-key", amount);
  const conflicts = await env.rows<{ id: string }>(
    `select id from onceboard.idempotency_events where type = 'conflict' and client = 'third' order by at, id`,
  );
  const base = env.context();
  const ctx = engineContext(base, { tenantId: base.tenantId, actor: reader, requestId: "req" });
  const texts = await Promise.all(
    conflicts.map(async ({ id }) => (await readConflict(ctx, { eventId: id }))?.verdict.text ?? ""),
  );
  expect(texts.map((text) => /The second was refused .*; nothing ran\./.exec(text)?.[0])).toEqual([
    "The second was refused twice; nothing ran.",
    "The second was refused twice; nothing ran.",
    "The second was refused once; nothing ran.",
  ]);
});

it("TRUTH-1 says nothing of an answer to the first command whose events are not kept any more", async () => {
  for (const amount of [FIRST, FIRST + 1n]) await pay("old", "old-key", amount);
  const [conflict] = await env.rows<{ id: string; operation_id: string }>(
    `select id, operation_id from onceboard.idempotency_events where type = 'conflict' and client = 'old'`,
  );
  const base = env.context();
  const ctx = engineContext(base, { tenantId: base.tenantId, actor: reader, requestId: "req" });
  const first = async () => (await readConflict(ctx, { eventId: conflict?.id ?? "" }))?.first.outcome;
  // Answers are recorded in batches.
  await expect.poll(first, { timeout: 10_000 }).toBe("executed");
  await env.rows(
    "delete from onceboard.idempotency_events where type <> 'conflict' and operation_id = $1",
    conflict?.operation_id,
  );
  expect(await first()).toBe("claimed");
});

describe("CONFLICT-5 the text for a client", { timeout: 60_000 }, () => {
  it("gives the share and blames nothing where few differ by a factor", async () => {
    const text = await textFor("few", 2);
    expect(text).toContain("2 of 20 have exactly 100 times the first amount.");
    expect(text).not.toContain("minor units");
  });

  it("names the cause where half of them bear it out, with the numbers", async () => {
    const text = await textFor("many", 10);
    expect(text).toContain("10 of 20 have exactly 100 times the first amount.");
    expect(text).toContain("In 10 of 20 the second amount is the first one in minor units");
  });
});
