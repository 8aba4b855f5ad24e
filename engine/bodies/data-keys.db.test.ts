import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { inTransaction } from "@/db/transaction";
import { createBodyKeyring } from "./body-keyring";
import { DATA_KEY_CACHE_MS, KeyDestroyedError, READ_AGAIN_MS } from "./data-keys";

let test: TestDatabase;
let db: Database;
beforeEach(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, max: 2, applicationName: "two connections" });
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await db.close();
  await test.drop();
});

it("a process that remembers a destroyed key opens bodies with it for a minute, and never after", async () => {
  const options = { db, encryptionKeys: `k1:${randomBytes(32).toString("base64")}`, secret: "s" };
  const [ring, other] = [createBodyKeyring(options), createBodyKeyring(options)];
  const day = 20 * 86_400_000;
  const subject = {
    ...{ tenantId: "acme", operation: "accounts.create", key: "k" },
    operationId: uuidv7({ msecs: Date.now() - day }),
  };
  const sealed = await ring.seal(Buffer.from("answer"), subject, "response");
  const open = () => other.open(sealed, subject, "response");
  expect((await open()).toString()).toBe("answer");
  await test.db.pool.query(
    "update onceboard.data_keys set wrapped = null, destroyed_at = now() where purpose = 'body'",
  );
  expect((await open()).toString()).toBe("answer");
  vi.advanceTimersByTime(DATA_KEY_CACHE_MS);
  expect(DATA_KEY_CACHE_MS).toBe(60_000);
  await expect(open()).rejects.toThrow(KeyDestroyedError);
});

it("a body key is read again before its end, so no transaction ever waits for a connection to seal its answer", async () => {
  const ring = createBodyKeyring({ db, encryptionKeys: `k1:${randomBytes(32).toString("base64")}`, secret: "s" });
  const subject = { tenantId: "acme", operation: "accounts.create", key: "k", operationId: uuidv7() };
  const seal = async () => ring.seal(Buffer.from("answer"), subject, "response");
  const read = vi.spyOn(db.pool, "query");
  await seal();
  vi.advanceTimersByTime(DATA_KEY_CACHE_MS - READ_AGAIN_MS + 1_000);
  await seal();
  // Nobody waits for the second reading, so it may begin a turn later.
  await new Promise(setImmediate);
  expect(read).toHaveBeenCalledTimes(2);
  await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown>));
  vi.advanceTimersByTime(READ_AGAIN_MS);
  // Every connection belongs to a transaction that wants to seal: a read from here would wait for one of them.
  const sealed = Promise.all([1, 2].map(() => inTransaction(db, seal)));
  await expect(sealed).resolves.toHaveLength(2);
});
