import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { baseBackup, dump, installedPrograms, restoreDump, startCopy } from "@/db/testing/backups";
import { startTestServer, type TestServer } from "@/db/testing/test-server";
import { createBodyKeyring } from "../bodies/body-keyring";
import { KeyDestroyedError } from "../bodies/data-keys";
import { readKeyEntries } from "../bodies/key-entries";
import type { KeyStore } from "../bodies/key-store";
import { createFileKeyStore } from "../bodies/key-stores/file";
import { consume } from "../inbox/consume";
import { createConsumerRegistry } from "../inbox/consumer";
import { receive } from "../inbox/receive";
import { openArrival } from "../inbox/sealed-arrival";
import { relay } from "../outbox/relay";
import { enqueueMessage, openPayload } from "../outbox/sealed-payload";
import { through } from "../testing/transports";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { retain } from "./retain";

/** Beyond a day of bodies and the days of slack. */
const OLD_HOURS = 24 * 20;
const CANARY = "Maria Testperson of the drill";
/** In messages of the purged day: one that was sent, and one that arrived and was handled. */
const SENT = "Maria Testperson who was written to";
const ARRIVED = "Maria Testperson who was heard of";
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;

let programs: string;
let server: TestServer;
let files: string;
beforeAll(async () => {
  programs = installedPrograms();
  server = await startTestServer({ binaries: programs });
  files = mkdtempSync(join(tmpdir(), "onceboard-drill-"));
  // pg_dump runs as the system user of the server.
  chmodSync(files, 0o777);
});
afterAll(async () => {
  await server.stop();
  rmSync(files, { recursive: true, force: true });
});

interface StoredBody {
  readonly body: Buffer;
  readonly operation: string;
  readonly key: string;
  readonly operationId: string;
  readonly kind: "command" | "response";
}

/** What somebody gets out of a database who has it, ENCRYPTION_KEYS, and the key store as it is now. */
async function openedBodies(url: string, keyStore: KeyStore | undefined): Promise<(string | Error)[]> {
  const db = createDatabase({ url, max: 1, role: "owner" });
  try {
    const ring = createBodyKeyring({ db, encryptionKeys: ENCRYPTION_KEYS, secret: "s", keyStore });
    const { rows } = await db.pool.query<StoredBody>({
      text: `select b.body, b.kind, r.operation, r.key, r.operation_id as "operationId" from onceboard.idempotency_bodies b
             join onceboard.idempotency_requests r using (tenant_id, operation_id) order by b.kind`,
    });
    return await Promise.all(
      rows.map(async ({ body, kind, ...subject }) => {
        try {
          return String(await ring.open(body, { tenantId: TENANT, ...subject }, kind));
        } catch (error) {
          return error as Error;
        }
      }),
    );
  } finally {
    await db.close();
  }
}

interface StoredMessage {
  readonly id: string;
  readonly payload: unknown;
  readonly sealed: boolean | null;
}

/** The same of messages: of the history, then of the inbox. @returns the texts, or why nothing opens them */
async function openedMessages(url: string, keyStore: KeyStore | undefined): Promise<string[]> {
  const db = createDatabase({ url, max: 1, role: "owner" });
  try {
    const keyring = createBodyKeyring({ db, encryptionKeys: ENCRYPTION_KEYS, secret: "s", keyStore });
    const ctx = { tenantId: TENANT, keyring };
    const { rows } = await db.pool.query<StoredMessage>({
      text: `select id, payload, null as sealed from onceboard.outbox_history union all
             select id, payload, document_hash is not null from onceboard.inbox_messages`,
    });
    const opened = rows.map(async ({ sealed, ...row }) => {
      if (sealed === null) return JSON.stringify(await openPayload(ctx, row.id, row.payload));
      return openArrival(ctx, { ...row, sealed }).then(JSON.stringify, (error: unknown) => String(error));
    });
    return await Promise.all(opened);
  } finally {
    await db.close();
  }
}

const heard = createConsumerRegistry([
  { name: "people", path: "transaction", subscribes: () => true, handle: () => Promise.resolve("ok") },
]);

/** One message that was sent and one that was handled, both on the day of the old operation. */
async function oldMessages(env: EngineTestEnvironment): Promise<void> {
  const ctx = env.context();
  // They are sealed under the key of the day on which they are written.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - OLD_HOURS * 3_600_000 });
  try {
    await enqueueMessage(ctx, env.db.pool, {
      ...{ id: uuidv7(), operationId: undefined, aggregateType: "account", aggregateId: "old", topic: "accounts" },
      ...{ type: "account.changed", payload: { name: SENT }, headers: {} },
    });
    const payload = { data: { name: ARRIVED } };
    const arrival = { source: "crm", messageId: "m1", type: "person.moved", headers: {}, payload };
    await receive(ctx, heard, { ...arrival, payloadBytes: Buffer.from(JSON.stringify(payload)) });
  } finally {
    vi.useRealTimers();
  }
  const back = `- make_interval(hours => ${String(OLD_HOURS)})`;
  await env.rows(`update onceboard.outbox_messages set created_at = created_at ${back}`);
  await env.rows(`update onceboard.inbox_messages set received_at = received_at ${back}`);
  expect(
    await relay(
      ctx,
      through(() => ({ kind: "acknowledged" })),
    ),
  ).toMatchObject({ published: 1 });
  expect(await consume(ctx, heard)).toMatchObject({ processed: 1 });
}

interface SavedKey {
  readonly day: string;
  readonly wrapped: Buffer;
}

/** The drill: copies of every kind, a purge, and then all copies are tried. @returns what opened before and after, by kind of copy */
async function drill(env: EngineTestEnvironment, keyStore: KeyStore | undefined, name: string) {
  await env.operation({ ageHours: OLD_HOURS, agedId: true });
  await oldMessages(env);
  await enqueueMessage(env.context(), env.db.pool, {
    ...{ id: uuidv7(), operationId: undefined, aggregateType: "account", aggregateId: "a", topic: "accounts" },
    ...{ type: "account.changed", payload: { name: CANARY }, headers: {} },
  });
  const before = await openedBodies(env.ownerUrl, keyStore);
  const messages = await openedMessages(env.ownerUrl, keyStore);
  const saved = await env.rows<SavedKey>(
    "select day, wrapped from onceboard.data_keys where purpose = 'body' and day < current_date - 1",
  );
  const file = join(files, `${name}.dump`);
  dump(programs, env.ownerUrl, file);
  dump(programs, env.ownerUrl, `${file}.sql`, "plain");
  const dumped = readFileSync(`${file}.sql`, "utf8");
  const base = baseBackup(programs, server);
  const periodKeys = [...filesBelow(files)].filter((content) => content.length === 32);
  await env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");
  await retain(env.context(), new Map());
  expect(await openedBodies(env.ownerUrl, keyStore)).toEqual([]);

  const restored = await restoreDump(programs, server, file, name);
  const fromDump = await openedBodies(restored, keyStore);
  const messagesOfDump = await openedMessages(restored, keyStore);
  const copy = await startCopy(programs, server, base, new URL(env.ownerUrl).pathname.slice(1));
  try {
    const fromBase = await openedBodies(copy.url, keyStore);
    const messagesOfBase = await openedMessages(copy.url, keyStore);
    return { before, fromDump, fromBase, messages, messagesOfDump, messagesOfBase, dumped, saved, base, periodKeys };
  } finally {
    await copy.stop();
  }
}

/** @returns every file below a directory, whole */
function* filesBelow(directory: string): Generator<Buffer> {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const path = join(directory, name);
    if (statSync(path).isFile()) yield readFileSync(path);
  }
}

/** One drill on a tenant of its own. */
async function drilled(keyStore: KeyStore | undefined, name: string) {
  const options = { server: server.url, encryptionKeys: ENCRYPTION_KEYS, ...(keyStore && { keyStore }) };
  const env = await createEngineTestEnvironment({ sealPayloads: true }, options);
  try {
    const seen = await drill(env, keyStore, name);
    const [run] = await env.rows<{ detail: { destroyedKeys: string[] } }>(
      "select detail from onceboard.retention_runs",
    );
    return { ...seen, destroyed: run?.detail.destroyedKeys };
  } finally {
    await env.close();
  }
}

const MESSAGES = [`{"payload":{"name":"${SENT}"}}`, `{"data":{"name":"${ARRIVED}"}}`];
const PURGED = ['{"lost":"purged"}', "PayloadLostError: The key of its payload was destroyed"];
const BODIES = ['{"kind":"command"}', '{"kind":"response"}'];

describe("copies that were made before a purge (RETENTION-7)", () => {
  let stored: Awaited<ReturnType<typeof drilled>>;
  let plain: Awaited<ReturnType<typeof drilled>>;
  beforeAll(async () => {
    stored = await drilled(createFileKeyStore(join(files, "keys")), "drill_store");
    plain = await drilled(undefined, "drill_env");
  });

  it("open nothing after it, with the same ENCRYPTION_KEYS, where a key store held the period's key", () => {
    expect(stored.before).toEqual(BODIES);
    expect(stored.fromDump.map((one) => one instanceof KeyDestroyedError)).toEqual([true, true]);
    expect(stored.fromBase.map((one) => one instanceof KeyDestroyedError)).toEqual([true, true]);
    expect(stored.destroyed).toEqual(stored.saved.map(({ day }) => day));
  });

  it("open no message of the purged day that was sent or handled, with SEAL_PAYLOADS, and say none in clear (RETENTION-9, RETENTION-10)", () => {
    expect(stored.messages).toEqual(MESSAGES);
    expect(stored.messagesOfDump).toEqual(PURGED);
    expect(stored.messagesOfBase).toEqual(PURGED);
    expect(stored.dumped.match(/onceboard\.sealed/g)?.length).toBeGreaterThanOrEqual(3);
    for (const text of [CANARY, SENT, ARRIVED]) expect(stored.dumped).not.toContain(text);
  });

  it("open nothing by rows that were saved and ENCRYPTION_KEYS, without our code: what is inside is no key of a body", () => {
    const entries = readKeyEntries(ENCRYPTION_KEYS);
    expect(stored.saved.length).toBeGreaterThan(0);
    for (const { day, wrapped } of stored.saved)
      expect(entries.open(wrapped, ["data key", TENANT, "body", day]).length).toBeGreaterThan(32);
    for (const { day, wrapped } of plain.saved)
      expect(entries.open(wrapped, ["data key", TENANT, "body", day]).length).toBe(32);
  });

  it("hold the row in their pages and their log, and never the key of the period", () => {
    const pages = [...filesBelow(stored.base)];
    expect(pages.some((page) => page.includes(stored.saved[0]?.wrapped ?? "none"))).toBe(true);
    expect(stored.periodKeys.length).toBeGreaterThan(0);
    for (const key of stored.periodKeys) expect(pages.some((page) => page.includes(key))).toBe(false);
    // A message that waits, with SEAL_PAYLOADS: its row is there, and what it says is in no page and in no part of the log.
    expect(pages.some((page) => page.includes("onceboard.sealed"))).toBe(true);
    for (const text of [CANARY, SENT, ARRIVED]) expect(pages.some((page) => page.includes(text))).toBe(false);
  });

  it("open with ENCRYPTION_KEYS where there is no key store: that is what KEY_STORE=env does not promise", () => {
    expect(plain.before).toEqual(BODIES);
    expect(plain.fromDump).toEqual(BODIES);
    expect(plain.fromBase).toEqual(BODIES);
    expect(plain.messagesOfDump).toEqual(MESSAGES);
    expect(plain.messagesOfBase).toEqual(MESSAGES);
  });
});
