import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileKeyStore } from "../bodies/key-stores/file";
import { retainKeys } from "../retention/retain-keys";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "../testing/environment";
import { through } from "../testing/transports";
import { outboxBody, type EnvelopeSource } from "./envelope";
import { changeMessage } from "./publish";
import { relay } from "./relay";
import { enqueueMessage, openPayload, storedBodyText } from "./sealed-payload";
import type { OutboxDelivery } from "./transport";

const CANARY = "Maria Testperson";
const STANDING = "select payload::text as text from onceboard.outbox_messages where id = $1";

describe("payloads of messages with SEAL_PAYLOADS (RETENTION-9)", () => {
  let files: string;
  let env: EngineTestEnvironment;
  beforeAll(async () => {
    files = mkdtempSync(join(tmpdir(), "onceboard-sealed-"));
    env = await createEngineTestEnvironment(
      { sealPayloads: true },
      { keyStore: createFileKeyStore(files), encryptionKeys: `k1:${randomBytes(32).toString("base64")}` },
    );
  });
  afterAll(async () => {
    await env.close();
    rmSync(files, { recursive: true, force: true });
  });

  async function enqueue(): Promise<string> {
    const ctx = env.context();
    const aggregate = { type: "account", id: uuidv7() };
    const event = { type: "account.changed", topic: "accounts", aggregate, data: { name: CANARY, amount: "1.10" } };
    const message = changeMessage(ctx, uuidv7(), event);
    expect(await enqueueMessage(ctx, env.db.pool, { ...message, operationId: undefined })).toBe(true);
    return message.id;
  }
  async function relayed(): Promise<OutboxDelivery[]> {
    const seen: OutboxDelivery[] = [];
    const transport = through((delivery) => {
      seen.push(delivery);
      return { kind: "acknowledged" };
    });
    while ((await relay(env.context(), transport)).claimed > 0);
    return seen;
  }
  const history = async (id: string) =>
    (await env.rows<EnvelopeSource>("select * from onceboard.outbox_history where id = $1", id))[0];

  it("stand sealed while they wait and in the history, and leave as they were written, beside some in clear", async () => {
    const id = await enqueue();
    const clear = await env.outbox({ data: { name: "in clear" } });
    const [row] = await env.rows<{ text: string }>(STANDING, id);
    expect(row?.text).toContain("onceboard.sealed");
    expect(row?.text).not.toContain(CANARY);
    expect(await storedBodyText(env.db.pool, env.context(), id)).toContain(CANARY);
    expect(await storedBodyText(env.db.pool, env.context(), clear)).toContain("in clear");
    const seen = await relayed();
    expect(seen.map((each) => each.id).sort()).toEqual([id, clear].sort());
    expect(seen.find((each) => each.id === clear)?.body).toContain("in clear");
    const kept = await history(id);
    expect(JSON.stringify(kept?.payload)).not.toContain(CANARY);
    const opened = await openPayload(env.context(), id, kept?.payload);
    // The page says what was sent.
    const sent = seen.find((each) => each.id === id)?.body;
    expect(sent).toContain(CANARY);
    expect(kept && outboxBody(env.context().tenantId, { ...kept, ...opened })).toBe(sent);
    expect(await openPayload(env.context(), uuidv7(), kept?.payload)).toEqual({ lost: "unreadable" });
  });

  it("keep the key of their day while they wait, and are purged with it once they are sent", async () => {
    const id = await enqueue();
    const age = () =>
      env.rows("update onceboard.data_keys set created_at = day where purpose = 'body' and day < current_date");
    // As if it had been written 20 days ago: its key under that day, and the row.
    await env.rows(
      "update onceboard.outbox_messages set created_at = created_at - interval '20 days' where id = $1",
      id,
    );
    await env
      .context()
      .keyring.seal(
        Buffer.from("a body of that day"),
        { tenantId: "acme", operation: "x", key: "k", operationId: uuidv7({ msecs: Date.now() - 20 * 86_400_000 }) },
        "command",
      );
    await age();
    expect((await retainKeys(env.context(), new Date())).destroyed).toEqual([]);
    await relayed();
    expect((await retainKeys(env.context(), new Date())).destroyed).toHaveLength(1);
    // The message itself was sealed today; once that key goes, so does what the history holds.
    const kept = await history(id);
    await env.rows("update onceboard.data_keys set wrapped = null, destroyed_at = now() where purpose = 'body'");
    const today = new Date().toISOString().slice(0, 10);
    env.base.keyring.forget("acme", today);
    expect(await openPayload(env.context(), id, kept?.payload)).toEqual({ lost: "purged" });
  });

  it("whose key is gone before they could be sent die, and nothing is sent", async () => {
    await env.rows("delete from onceboard.data_keys where purpose = 'body'");
    const today = new Date().toISOString().slice(0, 10);
    env.base.keyring.forget("acme", today);
    const id = await enqueue();
    await env.rows("update onceboard.data_keys set wrapped = null, destroyed_at = now() where purpose = 'body'");
    env.base.keyring.forget("acme", today);
    expect(await relayed()).toEqual([]);
    expect(await env.rows("select state, last_error_code from onceboard.outbox_messages where id = $1", id)).toEqual([
      { state: "dead", last_error_code: "outbox.payload_purged" },
    ]);
  });

  it("that nothing opens, as SQL of a service may write them, are dead at once", async () => {
    const ids = [await env.outbox(), await env.outbox(), await enqueue()];
    await env.rows(
      `update onceboard.outbox_messages set payload = '{"onceboard.sealed": "AgBAAAA="}' where id = $1`,
      ids[0],
    );
    // Sealed for another message.
    await env.rows(
      "update onceboard.outbox_messages m set payload = o.payload from onceboard.outbox_messages o where m.id = $1 and o.id = $2",
      ids[1],
      ids[2],
    );
    expect((await relayed()).map(({ id }) => id)).toEqual([ids[2]]);
    const dead = "select state, last_error_code, attempts_started from onceboard.outbox_messages where id = any ($1)";
    const once = { state: "dead", last_error_code: "outbox.payload_unreadable", attempts_started: 1 };
    expect(await env.rows(dead, ids)).toEqual([once, once]);
  });
});
