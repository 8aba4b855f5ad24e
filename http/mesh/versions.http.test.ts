import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineConfig, defineModule, jsonResponse, meshFunction, type LocalOperation } from "@/engine/index";
import { argumentsHash } from "@/engine/execute/published-hash";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { tillOf, type Till } from "../testing/till";
import { IDEMPOTENCY_URN, PROTOCOL } from "./protocol";

/** Runs that took effect, by version. */
const runs: string[] = [];

interface Book {
  readonly weight: number;
}

/** One version of one function: an operation of its own. */
function booking(name: string, version: string, answer: (weight: number) => object): LocalOperation<Book> {
  return {
    name,
    meshFunction: { name: "parcels.book", version },
    path: "local",
    apiVersion: version,
    schemaVersion: `v${version}`,
    policy: {},
    fields: ({ weight }) => ({ weight: String(weight) }),
    describe: () => ({}),
    run: (_ctx, _tx, _claim, { weight }) => {
      runs.push(version);
      return Promise.resolve({ state: "COMPLETED", response: jsonResponse(201, answer(weight)) });
    },
  };
}
const first = booking("parcels.book", "1", (weight) => ({ kilos: weight }));
const second = booking("parcels.book_weighed", "2", (weight) => ({ weight: { value: weight, unit: "kg" } }));
const empty: LocalOperation<Book> = {
  ...booking("parcels.drop", "1", () => ({})),
  meshFunction: { name: "parcels.drop", version: "1" },
  run: () => Promise.resolve({ state: "COMPLETED", response: { status: 204, headers: {}, body: Buffer.alloc(0) } }),
};

const functionOf = (operation: LocalOperation<Book>) =>
  meshFunction({
    ...(operation.meshFunction ?? { name: "", version: "" }),
    scopes: ["parcels"],
    operation,
    body: { schema: z.strictObject({ weight: z.int() }) },
    command: (_ctx, body) => body,
  });
const all = [first, second, empty];
const parcels = defineModule({
  name: "parcels",
  operations: all.map((definition) => ({ definition, label: "Parcel" })),
  mesh: { description: "Parcels.", argumentsText: "A weight.", functions: all.map(functionOf) },
});

describe.each(HOSTS.filter((name) => name !== "next"))("two versions of one function of the mesh on %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    runs.length = 0;
    host = await openHost(name, { config: defineConfig({ modules: [parcels] }) });
    till = tillOf(host, await host.key(["parcels"]));
  });
  afterAll(() => host.close());

  const call = async (
    version: string,
    key: string,
    weight: number,
    id: string = randomUUID(),
    named = "parcels.book",
  ) => {
    const envelope = {
      protocol: PROTOCOL,
      id,
      call: { function: named, version, arguments: { weight } },
      extensions: [{ urn: IDEMPOTENCY_URN, options: { key } }],
    };
    const { status, json } = await till.post("/mesh", envelope, { key: null });
    const [extension] = (json?.["extensions"] ?? []) as readonly { readonly data: Record<string, unknown> }[];
    const [error] = (json?.["errors"] ?? []) as readonly { readonly code: string; readonly details: object }[];
    return { status, result: json?.["result"], data: extension?.data, error };
  };

  it("MESH-4 are two operations under one key, each run once and replayed by itself", async () => {
    const key = randomUUID();
    const answers = {
      "1": { kilos: 3 },
      "2": { weight: { value: 3, unit: "kg" } },
    };
    for (const status of ["processed", "cached"]) {
      for (const [version, result] of Object.entries(answers)) {
        const answer = await call(version, key, 3, status === "processed" ? `first-${version}` : undefined);
        expect(answer).toMatchObject({ status: 200, result });
        expect(answer.data).toMatchObject({ key, status, original_request_id: `first-${version}` });
      }
    }
    expect(runs.filter((version) => version === "1")).toHaveLength(1);
    expect(runs.filter((version) => version === "2")).toHaveLength(1);
    const rows = await host.rows<{ operation: string; hash: string }>(
      `select operation, encode(identity_hash, 'hex') as hash from onceboard.idempotency_requests
       where tenant_id = $1 and key = $2 order by operation`,
      host.tenant,
      key,
    );
    const identity = (version: string) =>
      createHash("sha256").update(`{"function":"parcels.book","key":"${key}","version":"${version}"}`).digest("hex");
    expect(rows).toEqual([
      { operation: "parcels.book", hash: identity("1") },
      { operation: "parcels.book_weighed", hash: identity("2") },
    ]);
  });

  it("MESH-4 each tell a conflict of their own arguments, by a hash that the caller can compute", async () => {
    const key = randomUUID();
    await call("1", key, 1);
    await call("2", key, 2);
    for (const [version, weight] of [
      ["1", 1],
      ["2", 2],
    ] as const) {
      const conflict = await call(version, key, 9);
      expect(conflict).toMatchObject({ status: 409, result: null, data: { status: "conflict" } });
      expect(conflict.error).toMatchObject({
        code: "IDEMPOTENCY_CONFLICT",
        details: { key, original_arguments_hash: argumentsHash({ weight }) },
      });
    }
    expect((await call("2", key, 2)).data).toMatchObject({ status: "cached" });
  });

  it("MESH-10 a version that there is not is no function, and nothing is recorded", async () => {
    const key = randomUUID();
    const unknown = await call("3", key, 1);
    expect(unknown).toMatchObject({ status: 404, result: null, error: { code: "FUNCTION_NOT_FOUND" } });
    expect(unknown.error?.details).toMatchObject({
      functions: [
        { name: "parcels.book", version: "1" },
        { name: "parcels.book", version: "2" },
        { name: "parcels.drop", version: "1" },
      ],
    });
    expect(await host.rows("select 1 from onceboard.idempotency_requests where key = $1", key)).toEqual([]);
  });

  it("MESH-11 an answer without a body has a result without members, first and cached", async () => {
    const key = randomUUID();
    for (const status of ["processed", "cached"]) {
      const answer = await call("1", key, 1, undefined, "parcels.drop");
      expect(answer).toMatchObject({ status: 200, result: {}, data: { status } });
    }
  });
});
