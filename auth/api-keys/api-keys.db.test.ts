import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { authenticateApiKey, createApiKey, forgetApiKey, revokeApiKey } from "./api-keys";
import { createKeyUse } from "./key-use";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const till = { tenant: "acme", name: "till", scopes: ["payments"] };

describe("an API key", () => {
  it("makes its tenant and client when they are missing and says who presents it", async () => {
    const made = await createApiKey(test.db, { ...till, tenant: "made-here" });
    const client = await authenticateApiKey(test.db, `Bearer ${made.key}`);
    expect(client).toEqual({
      tenantId: "made-here",
      homeRegion: "local",
      clientId: made.clientId,
      name: "till",
      keyId: made.keyId,
      scopes: ["payments"],
      profile: "problem",
    });
  });

  it("keeps whose it is, who must be an operator that may sign in", async () => {
    await test.db.pool.query(
      "insert into onceboard.operators (id, name, email, disabled_at) values ('op-ada', 'Ada', 'ada@example.com', null), ('op-ben', 'Ben', 'ben@example.com', now())",
    );
    const { keyId } = await createApiKey(test.db, { ...till, scopes: ["admin"], holder: "Ada@example.com" });
    const { rows } = await test.db.pool.query({
      text: "select holder from onceboard.api_keys where id = $1",
      values: [keyId],
    });
    expect(rows).toEqual([{ holder: "op-ada" }]);
    for (const holder of ["ben@example.com", "nobody@example.com"])
      await expect(createApiKey(test.db, { ...till, holder })).rejects.toMatchObject({
        code: "validation.api_key",
        message: "The holder is the e-mail of an operator who may sign in.",
      });
  });

  it("leaves nothing in the database that opens anything", async () => {
    const { key } = await createApiKey(test.db, till);
    const secret = key.split("_").slice(2).join("_");
    const { rows } = await test.db.pool.query<{ row: string }>({
      text: "select k::text || encode(k.secret_hash, 'base64') as row from onceboard.api_keys k",
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(secret))).toBe(false);
  });

  it("fixes its own scopes and profile, beside another key of the same client", async () => {
    const first = await createApiKey(test.db, till);
    const second = await createApiKey(test.db, { ...till, scopes: ["events", "admin", "events"], profile: "fault" });
    expect(second.clientId).toBe(first.clientId);
    const [one, two] = await Promise.all(
      [first, second].map(async ({ key }) => authenticateApiKey(test.db, `Bearer ${key}`)),
    );
    expect([one?.scopes, one?.profile]).toEqual([["payments"], "problem"]);
    expect([two?.scopes, two?.profile]).toEqual([["events", "admin"], "fault"]);
  });

  it("is one client when twenty keys are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => createApiKey(test.db, { ...till, name: "rush" })));
    expect(new Set(made.map(({ clientId }) => clientId)).size).toBe(1);
    expect(new Set(made.map(({ key }) => key)).size).toBe(20);
  });

  it("is refused with another secret, from memory too", async () => {
    const { key, keyId } = await createApiKey(test.db, till);
    const { key: other } = await createApiKey(test.db, till);
    const forged = `ob_${keyId}_${other.split("_").slice(2).join("_")}`;
    expect(await authenticateApiKey(test.db, `Bearer ${forged}`)).toBeUndefined();
    expect(await authenticateApiKey(test.db, `Bearer ${key}`)).toBeDefined();
    expect(await authenticateApiKey(test.db, `Bearer ${forged}`)).toBeUndefined();
    expect(await authenticateApiKey(test.db, undefined)).toBeUndefined();
  });

  it("stops at once where it is revoked", async () => {
    const { key, keyId } = await createApiKey(test.db, till);
    expect(await authenticateApiKey(test.db, `Bearer ${key}`)).toBeDefined();
    expect(await revokeApiKey(test.db, "another-tenant", keyId)).toBe(false);
    expect(await authenticateApiKey(test.db, `Bearer ${key}`)).toBeDefined();
    expect(await revokeApiKey(test.db, "acme", keyId)).toBe(true);
    expect(await authenticateApiKey(test.db, `Bearer ${key}`)).toBeUndefined();
    expect(await revokeApiKey(test.db, "acme", keyId)).toBe(false);
  });

  it("opens until its end and not after it, at the next look", async () => {
    const { key, keyId } = await createApiKey(test.db, till);
    const end = (interval: string) =>
      test.db.pool.query({
        text: "update onceboard.api_keys set expires_at = now() + $2::interval where id = $1",
        values: [keyId, interval],
      });
    await end("1 hour");
    expect(await authenticateApiKey(test.db, `Bearer ${key}`)).toBeDefined();
    await end("-1 second");
    forgetApiKey(test.db, keyId);
    expect(await authenticateApiKey(test.db, `Bearer ${key}`)).toBeUndefined();
  });

  it("is noted as used, to the minute, off the request's path and once a minute", async () => {
    const { keyId } = await createApiKey(test.db, till);
    const used = async () =>
      (
        await test.db.pool.query<{ at: Date | null }>({
          text: "select last_used_at as at from onceboard.api_keys where id = $1",
          values: [keyId],
        })
      ).rows[0]?.at;
    let now = 0;
    const use = createKeyUse(test.db, () => now);
    use.note(keyId);
    expect(await used()).toBeNull();
    await use.flush();
    const at = await used();
    expect(at?.getTime()).toBeGreaterThan(Date.now() - 120_000);
    expect(at?.getUTCSeconds()).toBe(0);
    await test.db.pool.query({
      text: "update onceboard.api_keys set last_used_at = null where id = $1",
      values: [keyId],
    });
    use.note(keyId);
    await use.flush();
    expect(await used()).toBeNull();
    now = 60_000;
    use.note(keyId);
    await use.flush();
    expect(await used()).not.toBeNull();
  });

  it.each([
    [{ tenant: "Acme" }, "tenant"],
    [{ tenant: "-acme" }, "tenant"],
    [{ name: "" }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ scopes: [] }, "Scopes"],
    [{ scopes: ["payments", "root"], knownScopes: ["payments", "admin"] }, "Scopes"],
    [{ profile: "fancy" }, "profile"],
  ])("is not made from %j", async (change, word) => {
    await expect(createApiKey(test.db, { ...till, ...change })).rejects.toMatchObject({
      code: "validation.api_key",
      status: 422,
      message: expect.stringContaining(word) as string,
    });
  });
});
