import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "../testing/environment";
import { execute } from "./execute";
import type { LocalOperation } from "./operation";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

/** One version of one function; its answer says which. */
function greeting(version: string): LocalOperation<{ readonly name: string }> {
  return {
    path: "local",
    name: `greetings.send.v${version}`,
    meshFunction: { name: "greetings.send", version },
    apiVersion: version,
    schemaVersion: version,
    policy: {},
    fields: ({ name }) => ({ name }),
    describe: () => ({}),
    run: () =>
      Promise.resolve({
        state: "COMPLETED",
        response: { status: 201, headers: {}, body: Buffer.from(`{"version":"${version}"}`), schemaVersion: version },
      }),
  };
}

it("MESH-4 two versions of one function live side by side under one key, each with an identity of its own", async () => {
  const key = randomUUID();
  const run = async (version: string) => {
    const command = { name: "Mira" };
    const answer = await execute(env.context(), greeting(version), { key, command, receivedAt: performance.now() });
    return answer.outcome === "executed" || answer.outcome === "replayed"
      ? [answer.outcome, answer.response.body.toString()]
      : [answer.outcome];
  };
  expect(await run("1")).toEqual(["executed", '{"version":"1"}']);
  expect(await run("2")).toEqual(["executed", '{"version":"2"}']);
  expect(await run("1")).toEqual(["replayed", '{"version":"1"}']);
  expect(await run("2")).toEqual(["replayed", '{"version":"2"}']);
  const rows = await env.rows<{ operation: string; hash: string }>(
    "select operation, encode(identity_hash, 'hex') as hash from onceboard.idempotency_requests where key = $1 order by operation",
    key,
  );
  const identity = (version: string) =>
    createHash("sha256").update(`{"function":"greetings.send","key":"${key}","version":"${version}"}`).digest("hex");
  expect(rows).toEqual([
    { operation: "greetings.send.v1", hash: identity("1") },
    { operation: "greetings.send.v2", hash: identity("2") },
  ]);
});
