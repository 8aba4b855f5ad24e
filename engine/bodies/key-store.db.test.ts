import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { dayAgo, describeKeyStore, subjectOf } from "../testing/key-store-tests";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { retainKeys } from "../retention/retain-keys";
import { createBodyKeyring } from "./body-keyring";
import { KeyStoreUnavailableError, OtherKeyStoreError, type KeyStore } from "./key-store";
import { createFileKeyStore } from "./key-stores/file";
import { createPostgresKeyStore } from "./key-stores/postgres";

const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;

let files: string;
let keysDatabase: TestDatabase;
beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), "onceboard-keys-"));
  keysDatabase = await createTestDatabase();
});
afterAll(async () => {
  rmSync(files, { recursive: true, force: true });
  await keysDatabase.drop();
});

const fileStore = (name: string): KeyStore => createFileKeyStore(join(files, name));
async function postgresStore(): Promise<KeyStore> {
  const store = createPostgresKeyStore(keysDatabase.ownerUrl);
  await Promise.all([store.prepare(), store.prepare()]);
  return store;
}

describeKeyStore("file", () => Promise.resolve(fileStore("life")));
describeKeyStore("postgres", postgresStore);

describe.each([
  ["file", () => Promise.resolve(fileStore("unknown"))],
  ["postgres", postgresStore],
])("a key in the store that no row knows: %s", (kind, open) => {
  let keyStore: KeyStore;
  let env: EngineTestEnvironment;
  beforeAll(async () => {
    keyStore = await open();
    env = await createEngineTestEnvironment({}, { keyStore, encryptionKeys: ENCRYPTION_KEYS });
  });
  afterAll(async () => {
    await env.close();
    await keyStore.close();
  });

  it("ends too, once its day is beyond all retention", async () => {
    await keyStore.wrap({ tenantId: TENANT, day: dayAgo(30) }, Buffer.from("x"));
    const wrapped = await keyStore.wrap({ tenantId: TENANT, day: dayAgo(2) }, Buffer.from("y"));
    if (kind === "file") {
      const folder = join(
        files,
        "unknown",
        readdirSync(join(files, "unknown")).find((name) => name !== "store-id") ?? "",
      );
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0);
    } else {
      await keysDatabase.db.pool.query("update onceboard_keys.periods set created_at = day");
    }
    const later = dayAgo(0);
    expect(await keyStore.daysBefore(TENANT, later, 10)).toContain(dayAgo(30));
    await retainKeys(env.context(), new Date());
    const left = await keyStore.daysBefore(TENANT, later, 10);
    expect(left).not.toContain(dayAgo(30));
    expect(left).toContain(dayAgo(2));
    expect((await keyStore.unwrap({ tenantId: TENANT, day: dayAgo(2) }, wrapped))?.toString()).toBe("y");
  });
});

it("the database of a key store has a destroyed key in no page of its table", { timeout: 240_000 }, async () => {
  const store = await postgresStore();
  const { pool } = keysDatabase.db;
  const period = { tenantId: "pages", day: dayAgo(9) };
  await store.wrap(period, Buffer.from("x"));
  const { rows } = await pool.query<{ key: Buffer }>(
    "select key from onceboard_keys.periods where tenant_id = 'pages'",
  );
  const key = rows[0]?.key ?? Buffer.alloc(0);
  expect(key.length).toBe(32);
  const pages = async () => {
    await pool.query("checkpoint");
    const read = await pool.query<{ pages: Buffer }>(
      "select pg_read_binary_file(pg_relation_filepath('onceboard_keys.periods')) as pages",
    );
    return read.rows[0]?.pages ?? Buffer.alloc(0);
  };
  expect((await pages()).includes(key)).toBe(true);
  // A transaction that began before keeps the row for one rewriting more: one of autovacuum, or one that writes in any database of the server,
  // for the rewriting has a snapshot of its own. Other tests make days of traffic in one.
  const after = async () => {
    await store.destroy("pages", [period.day]);
    return (await pages()).includes(key);
  };
  await expect.poll(after, { timeout: 200_000, interval: 500 }).toBe(false);
  await store.close();
});

describe("a key store that is not what it was", () => {
  let env: EngineTestEnvironment;
  beforeAll(async () => {
    env = await createEngineTestEnvironment({}, { keyStore: fileStore("here"), encryptionKeys: ENCRYPTION_KEYS });
  });
  afterAll(() => env.close());
  const ring = (keyStore: KeyStore) =>
    createBodyKeyring({ db: env.db, encryptionKeys: ENCRYPTION_KEYS, secret: "s", keyStore });

  it("is unavailable while it cannot be read, nothing is destroyed by that, and everything goes on when it is back", async () => {
    const own = subjectOf(19);
    const sealed = await ring(fileStore("here")).seal(Buffer.from("kept"), own, "command");
    await env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");
    renameSync(join(files, "here"), join(files, "away"));
    try {
      // A directory that another program left where the store was.
      writeFileSync(join(files, "here"), "not a directory");
      const error = await (async () => ring(fileStore("here")).open(sealed, own, "command"))().catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(KeyStoreUnavailableError);
      expect(error).toMatchObject({
        code: "dependency.unavailable",
        status: 503,
        retryable: true,
        certainty: "indefinite",
      });
      expect((error as Error).message).not.toContain(files);
      expect((await retainKeys({ ...env.context(), keyring: ring(fileStore("here")) }, new Date())).destroyed).toEqual(
        [],
      );
    } finally {
      rmSync(join(files, "here"));
      renameSync(join(files, "away"), join(files, "here"));
    }
    // The row was ended meanwhile; the store hears of it now.
    expect((await retainKeys({ ...env.context(), keyring: ring(fileStore("here")) }, new Date())).destroyed).toEqual([
      dayAgo(19),
    ]);
  });

  it("lets new work go on where today's key was lost or needs another store", async () => {
    const own = subjectOf(0);
    const sealed = await ring(fileStore("here")).seal(Buffer.from("first"), own, "command");
    const other = ring(fileStore("other"));
    await expect(other.open(sealed, own, "command")).rejects.toThrow(OtherKeyStoreError);
    const again = await other.seal(Buffer.from("second"), own, "command");
    expect((await other.open(again, own, "command")).toString()).toBe("second");
    expect((await ring(fileStore("here")).open(sealed, own, "command")).toString()).toBe("first");
  });
});

it("a data key that was made without a store moves into it, and back out of nothing", async () => {
  const test = await createTestDatabase();
  const env = await createEngineTestEnvironment();
  try {
    const store = fileStore("moved");
    const options = { db: test.db, encryptionKeys: ENCRYPTION_KEYS, secret: "s" };
    const own = subjectOf(0);
    const sealed = await createBodyKeyring(options).seal(Buffer.from("before"), own, "command");
    await createBodyKeyring(options).fingerprint(TENANT, "canonical");
    const moving = { ...env.context(), db: test.db, keyring: createBodyKeyring({ ...options, keyStore: store }) };
    expect((await moving.keyring.open(sealed, own, "command")).toString()).toBe("before");
    expect((await retainKeys(moving, new Date())).rewrapped).toBe(1);
    expect((await retainKeys(moving, new Date())).rewrapped).toBe(0);
    const after = createBodyKeyring({ ...options, keyStore: store });
    expect((await after.open(sealed, own, "command")).toString()).toBe("before");
    await expect(createBodyKeyring(options).open(sealed, own, "command")).rejects.toThrow(OtherKeyStoreError);
    // The key of fingerprints lives as long as the metadata: it is never destroyed, so it stays out of the store.
    await expect(createBodyKeyring(options).fingerprint(TENANT, "canonical")).resolves.toBeInstanceOf(Buffer);
  } finally {
    await env.close();
    await test.drop();
  }
});
