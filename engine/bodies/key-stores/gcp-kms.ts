import type { KeyManagementServiceClient, protos } from "@google-cloud/kms";
import { KeyStoreUnavailableError, type KeyPeriod, type KeyStore } from "../key-store";
import { ASK_MS, askKeyService, dayOfName, loadClient, periodName, tenantHash } from "./managed";

/** The shortest that Cloud KMS takes: a version that was told to go can be restored for as long. */
const DESTROYED_AFTER_SECONDS = 86_400;
const PAGE_SIZE = 1_000;
/** A key ring forgets no name: these are years of a tenant's days. */
const MAX_PAGES = 10;
const CALL = { timeout: ASK_MS } as const;

/** gRPC's numbers. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const FAILED_PRECONDITION = 9;
/** States of a version from which nothing is opened any more. */
const ENDED: ReadonlySet<unknown> = new Set(["DESTROYED", "DESTROY_SCHEDULED"]);

type Client = KeyManagementServiceClient;
type ClientOptions = NonNullable<ConstructorParameters<typeof KeyManagementServiceClient>[0]>;
type Version = protos.google.cloud.kms.v1.ICryptoKeyVersion;

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
const nameOf = (error: unknown): string => `code ${String(codeOf(error))}`;

/**
 * A key of Google Cloud KMS for each period, `HASH-DAY` in a key ring of its own. Credentials are those of the client's environment
 * (GOOGLE_APPLICATION_CREDENTIALS, or the machine's own account). A key is destroyed by destroying its version: nothing is opened by it from
 * then on, and Google deletes it 24 hours later; until then somebody with the right to may restore it. Names of keys stay for ever.
 *
 * @param keyRing of KEY_STORE_NAME: `projects/P/locations/L/keyRings/R`
 * @param options of the client: where it goes, in a test
 */
export function createGcpKeyStore(keyRing: string, options: ClientOptions = {}): KeyStore {
  let opened: Promise<Client> | undefined;
  let known = false;

  async function open(): Promise<Client> {
    const kms = await loadClient("gcp-kms", "@google-cloud/kms", () => import("@google-cloud/kms"));
    return new kms.KeyManagementServiceClient(options);
  }

  const ask = <T>(what: (client: Client) => Promise<T>): Promise<T> =>
    askKeyService("Google Cloud KMS", async () => what(await (opened ??= open())), nameOf);

  return {
    kind: "gcp-kms",
    prepare: () =>
      ask(async (client) => {
        const [parent = "", keyRingId = ""] = keyRing.split("/keyRings/");
        await ignoring(ALREADY_EXISTS, client.createKeyRing({ parent, keyRingId, keyRing: {} }, CALL));
      }),
    async id() {
      // Its name is its id: a project, a ring and a key are never made again under a name that was there.
      if (!known)
        await ask(async (client) => {
          if ((await ignoring(NOT_FOUND, client.getKeyRing({ name: keyRing }, CALL))) === undefined)
            throw new KeyStoreUnavailableError(`Google Cloud KMS has no key ring ${keyRing}: migrate`);
        });
      known = true;
      return `gcp-kms:${keyRing}`;
    },
    wrap: (period, plain) => ask((client) => wrapUnder(client, keyRing, period, plain)),
    unwrap: (period, wrapped) => ask((client) => unwrapBy(client, keyRing, period, wrapped)),
    async destroy(tenantId, days) {
      for (const day of days)
        await ask(async (client) => {
          for (const { name, state } of await versionsOf(client, keyName(keyRing, { tenantId, day })))
            if (!ENDED.has(state)) await client.destroyCryptoKeyVersion({ name: name ?? null }, CALL);
        });
    },
    daysBefore: (tenantId, before, limit) =>
      ask(async (client) => {
        const found: string[] = [];
        for (const { name, createTime, primary } of await keysOf(client, keyRing, tenantId)) {
          const day = dayOfName(name?.split("/").at(-1) ?? "", tenantId);
          if (day === undefined || day >= before || ENDED.has(primary?.state)) continue;
          if (Number(createTime?.seconds) * 1_000 < Date.parse(before)) found.push(day);
        }
        return found.sort().slice(0, limit);
      }),
    async close() {
      const client = await opened?.catch(() => undefined);
      await client?.close();
    },
  };
}

const keyName = (keyRing: string, period: KeyPeriod): string => `${keyRing}/cryptoKeys/${periodName(period)}`;
const bindingOf = (period: KeyPeriod): Buffer => Buffer.from(periodName(period));

async function wrapUnder(client: Client, keyRing: string, period: KeyPeriod, plain: Uint8Array): Promise<Buffer> {
  const name = keyName(keyRing, period);
  const seal = async (): Promise<Buffer> => {
    const request = { name, plaintext: plain, additionalAuthenticatedData: bindingOf(period) };
    const [{ ciphertext }] = await client.encrypt(request, CALL);
    if (ciphertext === null || ciphertext === undefined) throw new Error("no ciphertext");
    return Buffer.from(ciphertext);
  };
  try {
    return await seal();
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) await makeKey(client, keyRing, period);
    else if (codeOf(error) === FAILED_PRECONDITION) await makeVersion(client, name, error);
    else throw error;
  }
  return seal();
}

async function unwrapBy(client: Client, keyRing: string, period: KeyPeriod, ciphertext: Uint8Array) {
  const name = keyName(keyRing, period);
  try {
    const request = { name, ciphertext, additionalAuthenticatedData: bindingOf(period) };
    const [{ plaintext }] = await client.decrypt(request, CALL);
    return plaintext ? Buffer.from(plaintext) : undefined;
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return undefined;
    // A version that somebody disabled can be enabled again.
    const disabled = (version: Version) => version.state !== "ENABLED" && !ENDED.has(version.state);
    if (codeOf(error) !== FAILED_PRECONDITION || (await versionsOf(client, name)).some(disabled)) throw error;
    return undefined;
  }
}

async function makeKey(client: Client, parent: string, period: KeyPeriod): Promise<void> {
  const cryptoKey = {
    purpose: "ENCRYPT_DECRYPT" as const,
    destroyScheduledDuration: { seconds: DESTROYED_AFTER_SECONDS },
    labels: { onceboard: "period" },
  };
  const request = { parent, cryptoKeyId: periodName(period), cryptoKey };
  await ignoring(ALREADY_EXISTS, client.createCryptoKey(request, CALL));
}

/** A period whose key was destroyed and which is sealed for again: its name is taken, so it gets another version. */
async function makeVersion(client: Client, parent: string, error: unknown): Promise<void> {
  if ((await versionsOf(client, parent)).some(({ state }) => !ENDED.has(state))) throw error;
  const [{ name }] = await client.createCryptoKeyVersion({ parent, cryptoKeyVersion: {} }, CALL);
  const cryptoKeyVersionId = name?.split("/").at(-1) ?? null;
  await client.updateCryptoKeyPrimaryVersion({ name: parent, cryptoKeyVersionId }, CALL);
}

/** @returns none of a key that is not there */
async function versionsOf(client: Client, parent: string): Promise<readonly Version[]> {
  const request = { parent, pageSize: PAGE_SIZE };
  const found = await ignoring(NOT_FOUND, client.listCryptoKeyVersions(request, { ...CALL, autoPaginate: false }));
  return found?.[0] ?? [];
}

/** @throws Error when there are more than are looked through */
async function keysOf(client: Client, parent: string, tenantId: string) {
  const filter = `name:${tenantHash(tenantId)}`;
  const found: protos.google.cloud.kms.v1.ICryptoKey[] = [];
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { parent, filter, pageSize: PAGE_SIZE, pageToken };
    const [keys, , answer] = await client.listCryptoKeys(request, { ...CALL, autoPaginate: false });
    found.push(...keys);
    pageToken = answer.nextPageToken ?? "";
    if (pageToken === "") return found;
  }
  throw new Error(`more than ${String(MAX_PAGES * PAGE_SIZE)} keys of a tenant`);
}

/** @returns undefined where the service answered this gRPC code */
async function ignoring<T>(code: number, asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}
