import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBodyKeyring, type BodySubject } from "../bodies/body-keyring";
import { KeyDestroyedError } from "../bodies/data-keys";
import { OtherKeyStoreError, type KeyStore } from "../bodies/key-store";
import { retainKeys } from "../retention/retain-keys";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "./environment";

const DAY_MS = 86_400_000;
export const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
export const subjectOf = (daysAgo: number): BodySubject => ({
  ...{ tenantId: TENANT, operation: "payments.create", key: `k-${String(daysAgo)}` },
  operationId: uuidv7({ msecs: Date.now() - daysAgo * DAY_MS }),
});

/** What every key store promises the engine. @param open it, prepared */
export function describeKeyStore(kind: string, open: () => Promise<KeyStore>): void {
  describe(`the life of a data key in a key store: ${kind}`, () => {
    const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
    let keyStore: KeyStore;
    let env: EngineTestEnvironment;
    beforeAll(async () => {
      keyStore = await open();
      env = await createEngineTestEnvironment({}, { keyStore, encryptionKeys });
    });
    afterAll(async () => {
      await env.close();
      await keyStore.close();
    });
    const ring = (store: KeyStore | undefined) =>
      createBodyKeyring({ db: env.db, encryptionKeys, secret: "s", keyStore: store });
    const age = () => env.rows("update onceboard.data_keys set created_at = day where purpose = 'body'");

    it("is one for all processes that begin at once, and nothing opens it without the store", async () => {
      const own = subjectOf(1);
      const sealed = await Promise.all(
        Array.from({ length: 8 }, async () => ring(keyStore).seal(Buffer.from("x"), own, "command")),
      );
      for (const one of sealed) expect((await ring(keyStore).open(one, own, "command")).toString()).toBe("x");
      const [first] = sealed;
      await expect(ring(undefined).open(first ?? Buffer.alloc(0), own, "command")).rejects.toThrow(OtherKeyStoreError);
      const rows = await env.rows<{ key_store: string }>(
        "select key_store from onceboard.data_keys where purpose = 'body'",
      );
      expect(rows).toEqual([{ key_store: await keyStore.id() }]);
      expect((await keyStore.id()).startsWith(`${kind}:`)).toBe(true);
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

    it("names days of one tenant by when their keys were made, destroys one twice, and seals for it again", async () => {
      const [one, other] = [
        { tenantId: "listed", day: dayAgo(9) },
        { tenantId: "listed", day: dayAgo(4) },
      ];
      const wrapped = await keyStore.wrap(one, Buffer.from("x"));
      await keyStore.wrap(other, Buffer.from("y"));
      await keyStore.wrap({ ...one, tenantId: "another" }, Buffer.from("z"));
      const tomorrow = dayAgo(-1);
      expect(await keyStore.daysBefore("listed", tomorrow, 10)).toEqual([one.day, other.day]);
      expect(await keyStore.daysBefore("listed", tomorrow, 1)).toEqual([one.day]);
      // All were made today.
      expect(await keyStore.daysBefore("listed", dayAgo(0), 10)).toEqual([]);
      await keyStore.destroy("listed", [one.day]);
      await keyStore.destroy("listed", [one.day, dayAgo(12)]);
      expect(await keyStore.daysBefore("listed", tomorrow, 10)).toEqual([other.day]);
      expect(await keyStore.unwrap(one, wrapped)).toBeUndefined();
      const again = await keyStore.wrap(one, Buffer.from("later"));
      expect((await keyStore.unwrap(one, again))?.toString()).toBe("later");
      expect(await keyStore.unwrap(one, wrapped)).toBeUndefined();
    });
  });
}
