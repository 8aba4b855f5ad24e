import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createBodyKeyring, type BodySubject } from "./body-keyring";
import { KeyDestroyedError } from "./data-keys";
import { retain } from "../retention/retain";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { retainKeys } from "../retention/retain-keys";

const DAY_MS = 86_400_000;
const entry = (name: string) => `${name}:${randomBytes(32).toString("base64")}`;
const subject = (over: Partial<BodySubject> = {}): BodySubject => ({
  tenantId: "acme",
  operation: "payments.create",
  key: "order-1",
  operationId: uuidv7(),
  ...over,
});

describe("stored bodies (RETENTION-3)", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());
  const keyring = (encryptionKeys: string) => createBodyKeyring({ db: test.db, encryptionKeys, secret: "a secret" });

  it("open only for the tenant, operation, key, operation id and kind that they were sealed for", async () => {
    const ring = keyring(entry("k1"));
    const own = subject();
    const sealed = await ring.seal(Buffer.from("secret body"), own, "response");
    expect((await ring.open(sealed, own, "response")).toString()).toBe("secret body");
    expect(sealed.includes("secret body")).toBe(false);
    const others: [BodySubject, "response" | "command"][] = [
      [{ ...own, tenantId: "globex" }, "response"],
      [{ ...own, operation: "refunds.create" }, "response"],
      [{ ...own, key: "order-2" }, "response"],
      [{ ...own, operationId: uuidv7() }, "response"],
      [own, "command"],
    ];
    for (const [other, kind] of others) await expect(async () => ring.open(sealed, other, kind)).rejects.toThrow();
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    await expect(async () => ring.open(changed, own, "response")).rejects.toThrow();
  });

  it("share one data key per tenant and day among any number of processes that begin at once", async () => {
    const keys = entry("k1");
    const own = subject({ tenantId: "many" });
    const rings = Array.from({ length: 8 }, () => keyring(keys));
    const sealed = await Promise.all(rings.map(async (ring) => ring.seal(Buffer.from("x"), own, "command")));
    for (const each of sealed) expect((await keyring(keys).open(each, own, "command")).toString()).toBe("x");
    const { rows } = await test.db.pool.query("select 1 from onceboard.data_keys where tenant_id = 'many'");
    expect(rows).toHaveLength(1);
    const { rows: stored } = await test.db.pool.query<{ wrapped: Buffer }>(
      "select wrapped from onceboard.data_keys where tenant_id = 'many'",
    );
    // Wrapped: 32 bytes of key and 33 of head, IV and tag; never the key itself.
    expect(stored[0]?.wrapped.length).toBe(65);
  });

  it("use another key for another day and another tenant", async () => {
    const ring = keyring(entry("k1"));
    const yesterday = uuidv7({ msecs: Date.now() - DAY_MS });
    await ring.seal(Buffer.from("a"), subject({ tenantId: "days" }), "command");
    await ring.seal(Buffer.from("a"), subject({ tenantId: "days", operationId: yesterday }), "command");
    await ring.seal(Buffer.from("a"), subject({ tenantId: "days-2" }), "command");
    const { rows } = await test.db.pool.query(
      "select distinct wrapped from onceboard.data_keys where tenant_id like 'days%' and purpose = 'body'",
    );
    expect(rows).toHaveLength(3);
  });
});

describe("the life of a data key", () => {
  let env: EngineTestEnvironment;
  beforeAll(async () => {
    env = await createEngineTestEnvironment();
  });
  afterAll(() => env.close());
  /** The keys of past days, as if they had been made then. */
  const age = () => env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");

  it("ends with the bodies of its day: a copy kept elsewhere cannot be read any more (the purge proof)", async () => {
    const ctx = env.context();
    const old = uuidv7({ msecs: Date.now() - 20 * DAY_MS });
    const own: BodySubject = { tenantId: TENANT, operation: "payments.create", key: "k", operationId: old };
    const backup = await ctx.keyring.seal(Buffer.from("card holder"), own, "response");
    const fresh = subject({ tenantId: TENANT });
    const kept = await ctx.keyring.seal(Buffer.from("still needed"), fresh, "response");
    expect((await retainKeys(ctx, new Date())).destroyed).toEqual([]);
    await age();
    const { destroyed } = await retainKeys(ctx, new Date());
    expect(destroyed).toEqual([new Date(Date.now() - 20 * DAY_MS).toISOString().slice(0, 10)]);
    await expect(ctx.keyring.open(backup, own, "response")).rejects.toThrow(KeyDestroyedError);
    expect((await ctx.keyring.open(kept, fresh, "response")).toString()).toBe("still needed");
    // Nobody makes a second key for that day; what is sealed for it now lives as long as today's bodies.
    const again = await ctx.keyring.seal(Buffer.from("later"), own, "response");
    expect((await ctx.keyring.open(again, own, "response")).toString()).toBe("later");
    const [row] = await env.rows<{ wrapped: Buffer | null; destroyed_at: Date | null }>(
      "select wrapped, destroyed_at from onceboard.data_keys where purpose = 'body' and day < current_date - 10",
    );
    expect(row).toMatchObject({ wrapped: null });
    expect(row?.destroyed_at).toBeInstanceOf(Date);
  });

  it("does not end while a body of its day is stored, or something of its day is open", async () => {
    const ctx = env.context();
    // Keys go by the window of what is still open, which ended 11 days ago; 16 days are beyond it at any time of the day.
    await env.operation({ ageHours: 24 * 16 });
    await env.operation({ ageHours: 24 * 12, state: "UNKNOWN_REQUIRES_RECOVERY" });
    for (const days of [16, 12]) {
      const operationId = uuidv7({ msecs: Date.now() - days * DAY_MS });
      await ctx.keyring.seal(Buffer.from("x"), subject({ tenantId: TENANT, operationId }), "command");
    }
    await age();
    expect((await retainKeys(ctx, new Date())).destroyed).toEqual([]);
    // The settled one is purged by retention; its key goes in the same tick. The unknown one keeps both.
    await retain(ctx, new Map());
    const alive = await env.rows<{ age: number }>(
      "select (current_date - day)::int as age from onceboard.data_keys where purpose = 'body' and wrapped is not null and day < current_date - 3",
    );
    expect(alive.map((row) => row.age)).toEqual([12]);
  });

  it("moves to a new entry of ENCRYPTION_KEYS, so the old one can be taken out", async () => {
    const test = await createTestDatabase();
    try {
      const [one, two] = [entry("old"), entry("new")];
      const ring = (encryptionKeys: string) => createBodyKeyring({ db: test.db, encryptionKeys, secret: "s" });
      const own = subject({ tenantId: TENANT });
      const sealed = await ring(one).seal(Buffer.from("kept"), own, "command");
      const mark = await ring(one).fingerprint(TENANT, "canonical");
      await expect(ring(two).open(sealed, own, "command")).rejects.toThrow();
      const rotating = { ...env.context(), db: test.db, keyring: ring(`${two},${one}`) };
      expect((await retainKeys(rotating, new Date())).rewrapped).toBe(2);
      expect((await ring(two).open(sealed, own, "command")).toString()).toBe("kept");
      expect((await ring(two).fingerprint(TENANT, "canonical")).equals(mark)).toBe(true);
      expect((await retainKeys(rotating, new Date())).rewrapped).toBe(0);
    } finally {
      await test.drop();
    }
  });
});
