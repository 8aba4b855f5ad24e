import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureEventSourceRow } from "@/db/inbox/event-sources";
import type { BrokerMessage } from "@/engine/inbox/brokers/broker-message";
import { createVerify } from "@/engine/inbox/brokers/verify";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";
import { brokerHeaders } from "./broker-headers";
import { createSigner } from "./sign";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const delivery = {
  id: "m1",
  topic: "payments",
  type: "payment.succeeded",
  body: '{"type":"t","data":{}}',
  headers: {},
};

/** A message as a broker would hand it over. */
async function signed(now?: () => Date): Promise<BrokerMessage> {
  const headers = await brokerHeaders(env.context(), createSigner(now && { now }), delivery);
  const nothing = (): void => undefined;
  return {
    body: Buffer.from(delivery.body),
    header: (name) => headers[name],
    accept: nothing,
    refuse: nothing,
    giveBack: nothing,
  };
}

describe("signatures of what leaves over a broker", () => {
  it("OUTBOX-10 have no limit of time, because a message may wait for days", async () => {
    const verify = createVerify(env.base);
    expect(await verify(await signed(() => new Date(Date.now() - 86_400_000)))).toMatchObject({ ok: true });
  });

  it("OUTBOX-10 during a rotation one with either secret holds; with a secret that has ended none does", async () => {
    const verify = createVerify(env.base);
    const before = await signed();
    const binding = [TENANT, "event_source", OWN_SOURCE, "second"];
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    await ensureEventSourceRow(env.db.pool, {
      tenantId: TENANT,
      source: OWN_SOURCE,
      secretId: "second",
      secret: env.base.keyring.sealSecret(Buffer.from(secret), binding),
    });
    const during = await signed();
    expect(during.header("webhook-signature")?.split(" ")).toHaveLength(2);
    expect([await verify(before), await verify(during)]).toMatchObject([{ ok: true }, { ok: true }]);
    await env.rows("update onceboard.event_sources set expires_at = clock_timestamp() where secret_id = 'first'");
    const after = createVerify(env.base);
    expect([await after(before), await after(during)]).toMatchObject([
      { ok: false, reason: "signature_invalid" },
      { ok: true },
    ]);
  });

  it("OUTBOX-10 a new secret is known at once, though the old ones are remembered", async () => {
    const verify = createVerify(env.base);
    expect(await verify(await signed())).toMatchObject({ ok: true });
    const binding = [TENANT, "event_source", OWN_SOURCE, "third"];
    await env.rows("update onceboard.event_sources set expires_at = clock_timestamp()");
    await ensureEventSourceRow(env.db.pool, {
      tenantId: TENANT,
      source: OWN_SOURCE,
      secretId: "third",
      secret: env.base.keyring.sealSecret(Buffer.from(`whsec_${randomBytes(32).toString("base64")}`), binding),
    });
    expect(await verify(await signed())).toMatchObject({ ok: true });
  });
});
