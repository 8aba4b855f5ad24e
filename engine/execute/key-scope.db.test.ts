import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findByText } from "@/db/operations/find-targets";
import { selectOperation } from "@/db/operations/select-operation";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { execute } from "./execute";
import type { LocalOperation } from "./operation";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

type Scope = OperationPolicy["scope"];

/** Each run counts, so that a second one would show. */
function counting(scope: Scope, status: number): LocalOperation<{ readonly name: string }> & { runs(): number } {
  let runs = 0;
  return {
    path: "local",
    name: "counters.count",
    apiVersion: "1",
    schemaVersion: "1",
    policy: { scope },
    runs: () => runs,
    fields: ({ name }) => ({ name }),
    describe: () => ({}),
    run: () => {
      runs += 1;
      const body = Buffer.from(`{"run":${String(runs)}, "accepted": ${String(status === 202)}}`);
      const headers = { location: "/api/v1/counters/1" };
      return Promise.resolve({ state: "COMPLETED", response: { status, headers, body, schemaVersion: "1" } });
    },
  };
}

const asked = async (
  definition: LocalOperation<{ readonly name: string }>,
  client: string,
  key: string,
  name = client,
) => {
  const actor = { kind: "client", id: client, name: client, scopes: [] } as const;
  const answer = await execute(env.context({ actor }), definition, {
    key,
    command: { name },
    receivedAt: performance.now(),
  });
  return { outcome: answer.outcome, operation: answer.operation?.operationId, answer };
};
const outcomes = async (
  definition: LocalOperation<{ readonly name: string }>,
  key: string,
  ...clients: readonly string[]
): Promise<string[]> => {
  const list: string[] = [];
  for (const client of clients) list.push((await asked(definition, client, key)).outcome);
  return list;
};

describe("KEY-14 the scope of a key", () => {
  it("is the operation: another client's key is a conflict", async () => {
    const key = randomUUID();
    const operation = counting("operation", 201);
    expect(await outcomes(operation, key, "till", "shop", "till")).toEqual(["executed", "conflict", "replayed"]);
    expect(operation.runs()).toBe(1);
  });

  it("is the client by policy: two clients use one key for different commands, each once", async () => {
    const key = "k".repeat(255);
    const operation = counting("principal", 201);
    const clients = ["till", "shop", "till", "shop", "kiosk", "kiosk"];
    const expected = ["executed", "executed", "replayed", "replayed", "executed", "replayed"];
    expect(await outcomes(operation, key, ...clients)).toEqual(expected);
    expect(operation.runs()).toBe(3);
    expect((await asked(operation, "shop", key, "another command")).outcome).toBe("conflict");
    expect((await asked(operation, "till", key, "another command")).outcome).toBe("conflict");
  });

  it("shows the caller's key, and finds each client's operation by it", async () => {
    const key = randomUUID();
    const operation = counting("principal", 201);
    const first = await asked(operation, "till", key);
    const second = await asked(operation, "shop", key);
    expect(second.operation).not.toBe(first.operation);
    expect((await selectOperation(env.db.pool, TENANT, second.operation ?? ""))?.key).toBe(key);
    const found = await findByText(env.db.pool, TENANT, key);
    expect(found.map((row) => row.operationId).sort()).toEqual([first.operation, second.operation].sort());
    expect(await findByText(env.db.pool, TENANT, key.slice(0, -1))).toEqual([]);
  });

  it("changes for new keys only: a key that a client has stays its own, in both directions", async () => {
    const key = randomUUID();
    expect(await outcomes(counting("operation", 201), key, "till", "shop")).toEqual(["executed", "conflict"]);
    expect(await outcomes(counting("principal", 201), key, "till", "shop")).toEqual(["replayed", "executed"]);
    expect(await outcomes(counting("operation", 201), key, "till", "shop", "kiosk")).toEqual([
      "replayed",
      "replayed",
      "conflict",
    ]);
  });

  it("runs nothing again for the second client when the first one's record is purged", async () => {
    const key = randomUUID();
    const operation = counting("principal", 201);
    const first = await asked(operation, "till", key);
    await asked(operation, "shop", key);
    await env.rows("delete from onceboard.idempotency_requests where operation_id = $1", first.operation);
    expect(await outcomes(operation, key, "shop", "shop")).toEqual(["replayed", "replayed"]);
    expect(operation.runs()).toBe(2);
  });

  it("gives each of many clients one operation when they come at once", async () => {
    const key = randomUUID();
    const operation = counting("principal", 201);
    const clients = ["a", "b", "c", "a", "b", "c"];
    const answers = await Promise.all(clients.map((client) => asked(operation, client, key)));
    expect(new Set(answers.map((answer) => answer.operation)).size).toBe(3);
    expect(operation.runs()).toBe(3);
  });
});

it("REPLAY-10 an answer 202, accepted for later work, is replayed byte for byte", async () => {
  const operation = counting("operation", 202);
  const key = randomUUID();
  const [first, again] = [await asked(operation, "till", key), await asked(operation, "till", key)];
  expect([first.outcome, again.outcome]).toEqual(["executed", "replayed"]);
  const bytes = ({ answer }: typeof first) =>
    answer.outcome === "executed" || answer.outcome === "replayed"
      ? [answer.response.status, answer.response.headers, answer.response.body.toString("hex")]
      : [];
  expect(bytes(first)).toEqual([202, { location: "/api/v1/counters/1" }, expect.any(String)]);
  expect(bytes(again)).toEqual(bytes(first));
  expect(operation.runs()).toBe(1);
});
