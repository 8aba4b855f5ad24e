import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { inTransaction } from "@/db/transaction";
import { createBodyKeyring } from "./body-keyring";
import { DATA_KEY_CACHE_MS, READ_AGAIN_MS } from "./data-keys";

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

it("a body key is read again before its end, so no transaction ever waits for a connection to seal its answer", async () => {
  const ring = createBodyKeyring({ db, encryptionKeys: `k1:${randomBytes(32).toString("base64")}`, secret: "s" });
  const subject = { tenantId: "acme", operation: "accounts.create", key: "k", operationId: uuidv7() };
  const seal = () => ring.seal(Buffer.from("answer"), subject, "response");
  const read = vi.spyOn(db.pool, "query");
  await seal();
  vi.advanceTimersByTime(DATA_KEY_CACHE_MS - READ_AGAIN_MS + 1_000);
  await seal();
  expect(read).toHaveBeenCalledTimes(2);
  await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown>));
  vi.advanceTimersByTime(READ_AGAIN_MS);
  // Every connection belongs to a transaction that wants to seal: a read from here would wait for one of them.
  const sealed = Promise.all([1, 2].map(() => inTransaction(db, seal)));
  await expect(sealed).resolves.toHaveLength(2);
});
