import { randomBytes, randomUUID, createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callFunction } from "@/db/testing/call-function";
import { type KeyStore, KeyStoreUnavailableError } from "../bodies/key-store";
import { createFileKeyStore } from "../bodies/key-stores/file";
import type { EngineContext } from "../context";
import { retainKeys } from "../retention/retain-keys";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { consume } from "./consume";
import { createConsumerRegistry, type Consumer } from "./consumer";
import { receive, receiveAll, type ReceiveRequest } from "./receive";

const CANARY = "Maria Testperson of the inbox";
const EVENT = { type: "person.moved", data: { name: CANARY, amount: 1.5, list: ["b", "a"] } };

let files: string;
let away = false;
let env: EngineTestEnvironment;
beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), "onceboard-arrivals-"));
  const store = createFileKeyStore(files);
  const unwrap: KeyStore["unwrap"] = (period, wrapped) =>
    away ? Promise.reject(new KeyStoreUnavailableError("the test took it away")) : store.unwrap(period, wrapped);
  env = await createEngineTestEnvironment(
    { sealPayloads: true },
    { keyStore: { ...store, unwrap }, encryptionKeys: `k1:${randomBytes(32).toString("base64")}` },
  );
});
afterAll(async () => {
  await env.close();
  rmSync(files, { recursive: true, force: true });
});

let seen: unknown[] = [];
beforeEach(() => {
  seen = [];
  return env.rows(
    "truncate onceboard.inbox_messages, onceboard.inbox_open, onceboard.inbox_arrivals, onceboard.dead_letters",
  );
});
const crm = (path: Consumer["path"] = "transaction"): Consumer => {
  const handle = (payload: unknown) => Promise.resolve(seen.push(payload) > 0 ? "ok" : "");
  const base = { name: "crm", subscribes: () => true };
  return path === "transaction"
    ? { ...base, path, handle: (_ctx, _tx, { payload }) => handle(payload) }
    : { ...base, path, handle: (_ctx, { payload }) => handle(payload) };
};
const registry = createConsumerRegistry([crm()]);
const context = (sealed = true): EngineContext => {
  const ctx = env.context();
  return { ...ctx, config: { ...ctx.config, sealPayloads: sealed } };
};
const request = (messageId: string, text: string): ReceiveRequest => ({
  ...{ source: "crm", messageId, type: "person.moved", headers: {} },
  payload: JSON.parse(text) as unknown,
  payloadBytes: Buffer.from(text),
});
const arrive = async (messageId: string, text: string, sealed = true) =>
  (await receive(context(sealed), registry, request(messageId, text))).outcome;
/** As a service does, in clear, for a consumer of ours. */
async function arriveBySql(messageId: string, text: string, consumer = "crm"): Promise<unknown> {
  const [row] = await callFunction(env.owner.pool, "receive", {
    ...{ tenant: TENANT, id: randomUUID(), arrival_id: randomUUID(), consumer, source: "crm", message_id: messageId },
    ...{ type: "person.moved", operation_id: null, payload: text, headers: "{}", request_id: null },
    payload_hash: createHash("sha256").update(text).digest(),
  });
  return row?.["outcome"];
}
interface Stored {
  readonly id: string;
  readonly text: string;
  readonly sealed: boolean;
  readonly state: string;
  readonly code: string | null;
  readonly duplicates: number;
  readonly mismatches: number;
}
const stored = (messageId: string) =>
  env.rows<Stored>(
    `select id, payload::text as text, document_hash is not null as sealed, state, last_error_code as code, duplicates, mismatches
     from onceboard.inbox_messages where message_id = $1 order by consumer`,
    messageId,
  );
const forget = () => {
  for (const day of [-1, 0, 1])
    env.base.keyring.forget(TENANT, new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10));
};

describe("arrivals with SEAL_PAYLOADS (RETENTION-10)", () => {
  it("stand sealed and are handled as they were sent, beside some in clear, in a batch and alone", async () => {
    const text = JSON.stringify(EVENT);
    expect(await arrive("sealed", text)).toBe("recorded");
    expect(await arrive("clear", text, false)).toBe("recorded");
    await receiveAll(context(), registry, [request("one", text), request("two", text)]);
    await receive(context(), createConsumerRegistry([crm("idempotent")]), request("alone", text));
    expect((await stored("sealed"))[0]).toMatchObject({ sealed: true, state: "recorded" });
    for (const id of ["sealed", "one", "two", "alone"]) {
      const [row] = await stored(id);
      expect(row?.text).toContain("onceboard.sealed");
      expect(row?.text).not.toContain(CANARY);
    }
    expect((await stored("clear"))[0]).toMatchObject({
      sealed: false,
      text: expect.stringContaining(CANARY) as string,
    });
    // The switch is of writing: a worker without it opens too.
    const done = await consume(context(false), registry);
    expect(done).toMatchObject({ claimed: 5, processed: 5, failed: 0 });
    expect(seen).toEqual([EVENT, EVENT, EVENT, EVENT, EVENT]);
  });

  it("are the duplicates and the conflicts that they would be in clear, whichever of the two is sealed", async () => {
    const first = '{"type":"person.moved","data":{"amount":1.50,"name":"M"}}';
    const again = '{ "data": { "name": "M", "amount": 15e-1 }, "type": "person.moved" }';
    const other = '{"type":"person.moved","data":{"amount":1.51,"name":"M"}}';
    for (const [id, before, after] of [
      ["sealed sealed", true, true],
      ["sealed clear", true, false],
      ["clear sealed", false, true],
      ["clear clear", false, false],
    ] as const) {
      const said = [];
      said.push(await arrive(id, first, before));
      for (const text of [first, again, other]) said.push(await arrive(id, text, after));
      said.push(await arriveBySql(id, again), await arriveBySql(id, other));
      expect([id, ...said]).toEqual([id, "recorded", "duplicate", "duplicate", "mismatch", "duplicate", "mismatch"]);
      expect(await stored(id)).toMatchObject([{ sealed: before, duplicates: 3, mismatches: 2 }]);
    }
    // What a service recorded stays as it is, and ours is a duplicate of it.
    expect(await arriveBySql("by sql", first)).toBe("recorded");
    expect([await arrive("by sql", again), await arrive("by sql", other)]).toEqual(["duplicate", "mismatch"]);
  });

  it("are told from each other once the key is gone too, and die at once where they were not handled", async () => {
    const text = JSON.stringify(EVENT);
    await arrive("handled", text);
    await consume(context(), registry);
    await arrive("late", text);
    const destroyed = "update onceboard.data_keys set wrapped = null, destroyed_at = now() where purpose = 'body'";
    await env.rows(destroyed);
    forget();
    expect(await consume(context(), registry)).toMatchObject({ claimed: 1, dead: 1 });
    expect(await stored("late")).toMatchObject([{ state: "dead", code: "inbox.payload_purged" }]);
    expect(await arrive("handled", ` ${text}`, false)).toBe("duplicate");
    expect(await arrive("handled", "{}", false)).toBe("mismatch");
    await env.rows("delete from onceboard.data_keys where purpose = 'body'");
    forget();
  });

  it("wait while the key store is away, and no attempt is counted", async () => {
    await arrive("waits", JSON.stringify(EVENT));
    forget();
    away = true;
    expect(await consume(context(), registry)).toMatchObject({ claimed: 1, postponed: 1, failed: 0, dead: 0 });
    expect(await env.rows("select attempts_started, alone from onceboard.inbox_open")).toEqual([
      { attempts_started: 0, alone: false },
    ]);
    away = false;
    await env.rows("update onceboard.inbox_open set next_attempt_at = now() - interval '1 second'");
    expect(await consume(context(), registry)).toMatchObject({ processed: 1 });
    expect(seen).toEqual([EVENT]);
  });

  it("die at once with a code where what is stored is not what was sealed; what only looks sealed is handled in clear", async () => {
    await arrive("broken", JSON.stringify(EVENT));
    await env.rows(
      "update onceboard.inbox_messages set payload = '{\"onceboard.sealed\": \"AgBAAAA=\"}' where message_id = 'broken'",
    );
    const alike = '{"onceboard.sealed":"AgBAAAA="}';
    await arrive("alike", alike, false);
    const keys = await env.rows("select day from onceboard.data_keys");
    expect(await consume(context(), registry)).toMatchObject({ claimed: 2, processed: 1, dead: 1 });
    expect(await stored("broken")).toMatchObject([{ state: "dead", code: "inbox.payload_unreadable" }]);
    expect(seen).toEqual([JSON.parse(alike)]);
    // The day that it names has no key, and gets none.
    expect(await env.rows("select day from onceboard.data_keys")).toEqual(keys);
  });

  it("keep what SQL reads of a provider's event, and no other word of it", async () => {
    const says = (data: object) => JSON.stringify({ type: "charge", data });
    await arrive("said", says({ providerKey: "pk_1", status: "succeeded", name: CANARY }));
    await arrive("another word", says({ providerKey: "pk_1", status: CANARY }));
    await arrive("own", says({ status: "succeeded" }));
    await arrive("clear", says({ providerKey: "pk_1", status: "succeeded" }), false);
    expect(
      await env.rows("select provider_key, provider_status from onceboard.inbox_messages order by received_at"),
    ).toEqual([
      { provider_key: "pk_1", provider_status: "succeeded" },
      { provider_key: "pk_1", provider_status: null },
      { provider_key: null, provider_status: null },
      { provider_key: null, provider_status: null },
    ]);
  });

  it("are in clear for a consumer elsewhere, which takes them by SQL", async () => {
    await arriveBySql("m1", JSON.stringify(EVENT), "billing.people");
    await arrive("m1", JSON.stringify(EVENT));
    const claim = { tenant: TENANT, owner: "billing-1", lease_ms: 30_000, consumers: ["billing.people"] };
    const [taken, ...more] = await callFunction(env.owner.pool, "claim_inbox", claim);
    expect(more).toEqual([]);
    expect(taken).toMatchObject({ payload: EVENT, sealed: false });
  });

  it("hold the key of their day while they wait or are dead, and are purged with it once they are handled", async () => {
    const broken = createConsumerRegistry([
      { ...crm(), path: "transaction", handle: () => Promise.reject(new Error("not today")) },
    ]);
    await receive(context(), broken, request("old", JSON.stringify(EVENT)));
    await env.rows("update onceboard.inbox_messages set received_at = received_at - interval '20 days'");
    // A key of that day, as its other bodies would have made it.
    const operationId = uuidv7({ msecs: Date.now() - 20 * 86_400_000 });
    const subject = { tenantId: TENANT, operation: "x", key: "k", operationId };
    await env.base.keyring.seal(Buffer.from("a body of that day"), subject, "command");
    await env.rows("update onceboard.data_keys set created_at = day where purpose = 'body' and day < current_date");
    const destroyed = async () => (await retainKeys(context(), new Date())).destroyed;
    expect(await destroyed()).toEqual([]);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await consume(context(), broken);
      await env.rows("update onceboard.inbox_open set next_attempt_at = now() - interval '1 second'");
    }
    const [row] = await stored("old");
    expect(row?.state).toBe("dead");
    expect(await destroyed()).toEqual([]);
    await callFunction(env.owner.pool, "requeue_inbox", { tenant: TENANT, id: row?.id, actor: "t", reason: "again" });
    expect(await destroyed()).toEqual([]);
    expect(await consume(context(), registry)).toMatchObject({ processed: 1 });
    expect(await destroyed()).toHaveLength(1);
  });
});
