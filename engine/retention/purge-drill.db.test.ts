import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "@/db/client";
import { baseBackup, dump, installedPrograms, restoreDump, startCopy } from "@/db/testing/backups";
import { startTestServer, type TestServer } from "@/db/testing/test-server";
import { createBodyKeyring } from "../bodies/body-keyring";
import { KeyDestroyedError } from "../bodies/data-keys";
import { readKeyEntries } from "../bodies/key-entries";
import type { KeyStore } from "../bodies/key-store";
import { createFileKeyStore } from "../bodies/key-stores/file";
import { enqueueMessage } from "../outbox/sealed-payload";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { retain } from "./retain";

/** Beyond a day of bodies and the days of slack. */
const OLD_HOURS = 24 * 20;
const CANARY = "Maria Testperson of the drill";
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
      rows.map(({ body, kind, ...subject }) =>
        ring.open(body, { tenantId: TENANT, ...subject }, kind).then(String, (error: unknown) => error as Error),
      ),
    );
  } finally {
    await db.close();
  }
}

interface SavedKey {
  readonly day: string;
  readonly wrapped: Buffer;
}

/** The drill: copies of every kind, a purge, and then all copies are tried. @returns what opened before and after, by kind of copy */
async function drill(env: EngineTestEnvironment, keyStore: KeyStore | undefined, name: string) {
  await env.operation({ ageHours: OLD_HOURS, agedId: true });
  await enqueueMessage(env.context(), env.db.pool, {
    ...{ id: uuidv7(), operationId: undefined, aggregateType: "account", aggregateId: "a", topic: "accounts" },
    ...{ type: "account.changed", payload: { name: CANARY }, headers: {} },
  });
  const before = await openedBodies(env.ownerUrl, keyStore);
  const saved = await env.rows<SavedKey>(
    "select day, wrapped from onceboard.data_keys where purpose = 'body' and day < current_date - 1",
  );
  const file = join(files, `${name}.dump`);
  dump(programs, env.ownerUrl, file);
  const base = baseBackup(programs, server);
  const periodKeys = [...filesBelow(files)].filter((content) => content.length === 32);
  await env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");
  await retain(env.context(), new Map());
  expect(await openedBodies(env.ownerUrl, keyStore)).toEqual([]);

  const fromDump = await openedBodies(await restoreDump(programs, server, file, name), keyStore);
  const copy = await startCopy(programs, server, base, new URL(env.ownerUrl).pathname.slice(1));
  try {
    return { before, fromDump, fromBase: await openedBodies(copy.url, keyStore), saved, base, periodKeys };
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
    expect(pages.some((page) => page.includes(CANARY))).toBe(false);
  });

  it("open with ENCRYPTION_KEYS where there is no key store: that is what KEY_STORE=env does not promise", () => {
    expect(plain.before).toEqual(BODIES);
    expect(plain.fromDump).toEqual(BODIES);
    expect(plain.fromBase).toEqual(BODIES);
  });
});
