import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { retainKeys } from "../retention/retain-keys";
import { createBodyKeyring, type BodySubject } from "./body-keyring";
import { KeyDestroyedError } from "./data-keys";
import { KeyStoreUnavailableError, OtherKeyStoreError, type KeyStore } from "./key-store";
import { createFileKeyStore } from "./key-stores/file";
import { createPostgresKeyStore } from "./key-stores/postgres";

const DAY_MS = 86_400_000;
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const subjectOf = (daysAgo: number): BodySubject => ({
  ...{ tenantId: TENANT, operation: "payments.create", key: `k-${String(daysAgo)}` },
  operationId: uuidv7({ msecs: Date.now() - daysAgo * DAY_MS }),
});

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

describe.each([
  ["file", () => Promise.resolve(fileStore("life"))],
  ["postgres", postgresStore],
])("the life of a data key in a key store: %s", (kind, open) => {
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
  const ring = (store: KeyStore | undefined) =>
    createBodyKeyring({ db: env.db, encryptionKeys: ENCRYPTION_KEYS, secret: "s", keyStore: store });
  const age = () => env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");

  it("is one for all processes that begin at once, and nothing opens it without the store", async () => {
    const own = subjectOf(1);
    const sealed = await Promise.all(
      Array.from({ length: 8 }, () => ring(keyStore).seal(Buffer.from("x"), own, "command")),
    );
    for (const one of sealed) expect((await ring(keyStore).open(one, own, "command")).toString()).toBe("x");
    const [first] = sealed;
    await expect(ring(undefined).open(first ?? Buffer.alloc(0), own, "command")).rejects.toThrow(OtherKeyStoreError);
    const rows = await env.rows<{ key_store: string }>(
      "select key_store from onceboard.data_keys where purpose = 'body'",
    );
    expect(rows).toEqual([{ key_store: await keyStore.id() }]);
    expect(await keyStore.id()).toMatch(new RegExp(`^${kind}:[0-9a-f-]{36}$`));
  });

  it("ends in the store as well, once, with an entry in the audit; a key of a later day stays", async () => {
    const [old, fresh] = [subjectOf(20), subjectOf(0)];
    const [a, b] = [
      await ring(keyStore).seal(Buffer.from("old"), old, "response"),
      await ring(keyStore).seal(Buffer.from("fresh"), fresh, "response"),
    ];
    await age();
    const ctx = env.context();
    expect((await retainKeys(ctx, new Date())).destroyed).toEqual([dayAgo(20)]);
    expect((await retainKeys(ctx, new Date())).destroyed).toEqual([]);
    await expect(ring(keyStore).open(a, old, "response")).rejects.toThrow(KeyDestroyedError);
    expect((await ring(keyStore).open(b, fresh, "response")).toString()).toBe("fresh");
    const audit = await env.rows<{ actor_kind: string; subject_id: string; after: unknown }>(
      "select actor_kind, subject_id, after from onceboard.audit_entries where action = 'body_keys.destroyed'",
    );
    expect(audit).toEqual([{ actor_kind: "system", subject_id: await keyStore.id(), after: { days: [dayAgo(20)] } }]);
  });

  it("ends in the store at the next tick where a process died between row and store", async () => {
    const old = subjectOf(21);
    const sealed = await ring(keyStore).seal(Buffer.from("old"), old, "response");
    const [saved] = await env.rows<{ wrapped: Buffer }>(
      "select wrapped from onceboard.data_keys where day = $1",
      dayAgo(21),
    );
    await age();
    await env.rows("select onceboard.destroy_data_keys($1, current_date - 10)", TENANT);
    expect((await retainKeys(env.context(), new Date())).destroyed).toEqual([dayAgo(21)]);
    // Somebody puts the saved row back, as a restored dump has it.
    await env.rows(
      "update onceboard.data_keys set wrapped = $2, destroyed_at = null, store_destroyed_at = null where day = $1",
      dayAgo(21),
      saved?.wrapped,
    );
    await expect(ring(keyStore).open(sealed, old, "response")).rejects.toThrow(KeyDestroyedError);
  });

  it("ends in the store too where no row knows its day, once that day is beyond all retention", async () => {
    await keyStore.wrap({ tenantId: TENANT, day: dayAgo(30) }, Buffer.from("x"));
    const wrapped = await keyStore.wrap({ tenantId: TENANT, day: dayAgo(2) }, Buffer.from("y"));
    if (kind === "file") {
      const folder = join(files, "life", readdirSync(join(files, "life")).find((name) => name !== "store-id") ?? "");
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

it("the database of a key store has a destroyed key in no page of its table", async () => {
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
  // A transaction that began before, such as one of autovacuum, keeps the row for one rewriting more.
  const after = async () => {
    await store.destroy("pages", [period.day]);
    return (await pages()).includes(key);
  };
  await expect.poll(after).toBe(false);
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
      const error = await ring(fileStore("here"))
        .open(sealed, own, "command")
        .catch((thrown: unknown) => thrown);
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
