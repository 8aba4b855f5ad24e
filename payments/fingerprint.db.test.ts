import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalCommand, canonicalize } from "@/domain/idempotency/canonical";
import { FINGERPRINT_RULES, type FingerprintRules } from "@/domain/idempotency/fingerprint-rules";
import { createEngineBase } from "@/engine/base";
import { engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import type { ProviderOperation } from "@/engine/execute/operation";
import type { CreatePaymentCommand } from "./commands";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** A deploy never turns an old retry into a conflict, and never hides a real one. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

const command = (reference: string, amountMinor = 1_000n): CreatePaymentCommand => ({
  accountId: "acc_1",
  amountMinor,
  currency: "EUR",
  merchantReference: reference,
  channel: "web",
});
type Pay = ProviderOperation<CreatePaymentCommand>;
const pay = (
  ctx: EngineContext,
  key: string,
  body: CreatePaymentCommand,
  definition: Pay = env.operations.createPayment,
) => execute(ctx, definition, { key, command: body, receivedAt: performance.now() });
const outcomes = async (...asked: ReturnType<typeof pay>[]) =>
  (await Promise.all(asked)).map((answer) => answer.outcome);

/** Version 2: lower-case currency first, as a later deploy might decide. */
const V2: FingerprintRules = {
  current: 2,
  canonical: new Map([
    ...FINGERPRINT_RULES.canonical,
    [2, (each) => canonicalize({ v: 2, ...each, fields: { ...each.fields, region: "eu" } })],
  ]),
};

describe("rules of version 2 over rows of version 1", () => {
  it("COMMAND-4 compares an old row by its own rules: the retry replays, another command conflicts", async () => {
    const old = env.context();
    await pay(old, "v1", command("v1"));
    const deployed: EngineContext = { ...env.context(), fingerprints: V2 };
    expect(await outcomes(pay(deployed, "v1", command("v1")))).toEqual(["replayed"]);
    expect(await outcomes(pay(deployed, "v1", command("v1", 9_900n)))).toEqual(["conflict"]);
    expect(await outcomes(pay(deployed, "v2", command("v2")))).toEqual(["executed"]);
    const rows = await env.rows<{ key: string; fingerprint_version: number }>(
      "select key, fingerprint_version from onceboard.idempotency_requests where key in ('v1', 'v2') order by key",
    );
    expect(rows.map((row) => row.fingerprint_version)).toEqual([1, 2]);
  });

  it("a process of the old version meets a row of the new one: it says so and executes nothing", async () => {
    const deployed: EngineContext = { ...env.context(), fingerprints: V2 };
    await pay(deployed, "newer", command("newer"));
    await expect(pay(env.context(), "newer", command("newer"))).rejects.toMatchObject({
      code: "idempotency.fingerprint_unknown",
      status: 503,
      retryable: true,
    });
    expect(await env.rows("select 1 from payments.payments where merchant_reference = 'newer'")).toHaveLength(1);
  });
});

describe("a v3 deploy over a v2 client", () => {
  const v3 = (): Pay => {
    const now = env.operations.createPayment;
    return {
      ...now,
      apiVersion: "v3",
      schemaVersion: "v3",
      // The new field is in commands of v3 only: those of an older row are read as they were.
      fields: (body, apiVersion) => ({
        ...now.fields(body, apiVersion),
        ...(apiVersion === "v3" && { capture: "automatic" }),
      }),
    };
  };

  it("REPLAY-5 replays the stored version, declared, and byte for byte", async () => {
    const first = await pay(env.context(), "client-v2", command("client-v2"));
    const again = await pay(env.context(), "client-v2", command("client-v2"), v3());
    expect([first.outcome, again.outcome]).toEqual(["executed", "replayed"]);
    const { schemaVersion } = env.operations.createPayment;
    expect(again).toMatchObject({ schemaVersion });
    expect("response" in first && "response" in again && again.response.body.equals(first.response.body)).toBe(true);
    expect(await outcomes(pay(env.context(), "client-v2", command("client-v2", 5n), v3()))).toEqual(["conflict"]);
    expect(await pay(env.context(), "client-v3", command("client-v3"), v3())).toMatchObject({ schemaVersion: "v3" });
  });
});

describe("a process of the old API version, while a newer one is deployed", () => {
  it("COMMAND-5 tells a retry of a newer key to come again, and never that it is another command", async () => {
    const now = env.operations.createPayment;
    const newer: Pay = {
      ...now,
      apiVersion: "2999-01-01",
      fields: (body, apiVersion) => ({ ...now.fields(body, apiVersion), capture: "automatic" }),
    };
    expect(await outcomes(pay(env.context(), "rolling", command("rolling"), newer))).toEqual(["executed"]);
    await expect(pay(env.context(), "rolling", command("rolling"))).rejects.toMatchObject({
      code: "idempotency.fingerprint_unknown",
      status: 503,
      retryable: true,
    });
    expect(await outcomes(pay(env.context(), "rolling", command("rolling"), newer))).toEqual(["replayed"]);
  });
});

describe("COMMAND-7 keys of the fingerprint", () => {
  const bases: ReturnType<typeof createEngineBase>[] = [];
  afterAll(() => Promise.all(bases.flatMap(({ answers, refusals }) => [answers.close(), refusals.close()])));
  const elsewhere = (secret: string): EngineContext => {
    const { db, config, log, tenantId, actor, requestId } = env.context();
    const { encryptionKeys } = env;
    const base = createEngineBase({ db, instance: "other", config, encryptionKeys, secret, log });
    bases.push(base);
    return engineContext(base, { tenantId, actor, requestId });
  };

  it("outlive a change of SECRET: an old retry still replays, a real conflict is still one", async () => {
    await pay(env.context(), "rotated", command("rotated"));
    const after = elsewhere("quite another secret of this deployment");
    expect(await outcomes(pay(after, "rotated", command("rotated")))).toEqual(["replayed"]);
    expect(await outcomes(pay(after, "rotated", command("rotated", 7n)))).toEqual(["conflict"]);
  });

  it("differ between tenants, so equal commands do not look equal", async () => {
    const text = canonicalCommand({ operation: "payments.create", apiVersion: "1", fields: { amount: "10.00" } });
    const { keyring } = env.context();
    const [one, two] = [await keyring.fingerprint("acme", text), await keyring.fingerprint("globex", text)];
    expect(one.equals(two)).toBe(false);
    expect(one.equals(await keyring.fingerprint("acme", text))).toBe(true);
  });
});
