import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { grpc, GrpcClient } from "google-gax";

const RING = /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[\w-]{1,63}$/;
const KEY_ID = /^[\w-]{1,63}$/;
const SHORTEST_DESTRUCTION_SECONDS = 86_400;
const SYMMETRIC = 1;
const HEAD_BYTES = 2;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const { NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, INVALID_ARGUMENT } = grpc.status;

interface Version {
  readonly name: string;
  readonly key: Buffer;
  state: "ENABLED" | "DISABLED" | "DESTROY_SCHEDULED";
}

interface Key {
  readonly name: string;
  readonly createTime: { readonly seconds: number };
  readonly versions: Version[];
  primary: number;
}

type Request = Readonly<Record<string, unknown>>;

class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CloudKms {
  readonly port: number;
  setState(key: string, state: Version["state"]): void;
  stop(): Promise<void>;
}

/**
 * Speaks the gRPC of Cloud KMS by the definitions that its official client brings, with the codes that its reference gives, and keeps keys
 * in memory. It is not Google's: what the real service does beyond these rules is not seen here.
 */
export async function startCloudKms(): Promise<CloudKms> {
  const rings = new Set<string>();
  const keys = new Map<string, Key>();
  const server = new grpc.Server();
  const definitions = new GrpcClient().loadProtoJSON(
    createRequire(import.meta.url)("@google-cloud/kms/build/protos/protos.json") as object,
  ) as unknown as { google: { cloud: { kms: { v1: { KeyManagementService: { service: grpc.ServiceDefinition } } } } } };
  const verbs = verbsOf(rings, keys);
  server.addService(
    definitions.google.cloud.kms.v1.KeyManagementService.service,
    Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [
        name,
        (call: { request: Request }, answer: (error: object | null, value?: object) => void): void => {
          try {
            answer(null, verb(call.request));
          } catch (error) {
            answer(error instanceof Refused ? { code: error.code, details: error.message } : (error as object));
          }
        },
      ]),
    ),
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    port,
    setState: (name, state) => {
      for (const version of found(keys, name).versions) version.state = state;
    },
    stop: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
  };
}

function verbsOf(rings: Set<string>, keys: Map<string, Key>): Record<string, (request: Request) => object> {
  return {
    createKeyRing({ parent, keyRingId }) {
      const name = `${String(parent)}/keyRings/${String(keyRingId)}`;
      if (!RING.test(name)) throw new Refused(INVALID_ARGUMENT, name);
      if (rings.has(name)) throw new Refused(ALREADY_EXISTS, name);
      rings.add(name);
      return { name };
    },
    getKeyRing({ name }) {
      if (!rings.has(String(name))) throw new Refused(NOT_FOUND, String(name));
      return { name };
    },
    createCryptoKey({ parent, cryptoKeyId, cryptoKey }) {
      const wanted = cryptoKey as { purpose: unknown; destroyScheduledDuration: { seconds: unknown } | null };
      const name = `${String(parent)}/cryptoKeys/${String(cryptoKeyId)}`;
      if (!rings.has(String(parent))) throw new Refused(NOT_FOUND, String(parent));
      if (keys.has(name)) throw new Refused(ALREADY_EXISTS, name);
      const { purpose, destroyScheduledDuration: wait } = wanted;
      if (!KEY_ID.test(String(cryptoKeyId)) || !["ENCRYPT_DECRYPT", SYMMETRIC].includes(purpose as string))
        throw new Refused(INVALID_ARGUMENT, name);
      if (Number(wait?.seconds ?? SHORTEST_DESTRUCTION_SECONDS) < SHORTEST_DESTRUCTION_SECONDS)
        throw new Refused(INVALID_ARGUMENT, "destroyScheduledDuration");
      const key: Key = { name, createTime: { seconds: Math.floor(Date.now() / 1_000) }, versions: [], primary: 1 };
      addVersion(key);
      keys.set(name, key);
      return view(key);
    },
    listCryptoKeys({ parent, filter }) {
      const part = /^name:(\S+)$/.exec(String(filter))?.[1] ?? "";
      const named = [...keys.values()].filter(
        ({ name }) => name.startsWith(`${String(parent)}/`) && name.includes(part),
      );
      return { cryptoKeys: named.map(view), nextPageToken: "" };
    },
    createCryptoKeyVersion: ({ parent }) => addVersion(found(keys, parent)),
    updateCryptoKeyPrimaryVersion({ name, cryptoKeyVersionId }) {
      const key = found(keys, name);
      key.primary = Number(cryptoKeyVersionId);
      return view(key);
    },
    listCryptoKeyVersions: ({ parent }) => ({ cryptoKeyVersions: found(keys, parent).versions, nextPageToken: "" }),
    destroyCryptoKeyVersion({ name }) {
      const version = found(keys, String(name).split("/cryptoKeyVersions/")[0]).versions.find(
        (each) => each.name === name,
      );
      if (version === undefined) throw new Refused(NOT_FOUND, String(name));
      if (version.state === "DESTROY_SCHEDULED") throw new Refused(FAILED_PRECONDITION, String(name));
      version.state = "DESTROY_SCHEDULED";
      return version;
    },
    encrypt({ name, plaintext, additionalAuthenticatedData: aad }) {
      const key = found(keys, name);
      const { key: secret } = usable(key, key.primary);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, iv);
      cipher.setAAD(aad as Buffer);
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt16BE(key.primary);
      const body = [cipher.update(plaintext as Buffer), cipher.final()];
      return { name, ciphertext: Buffer.concat([head, iv, ...body, cipher.getAuthTag()]) };
    },
    decrypt({ name, ciphertext, additionalAuthenticatedData: aad }) {
      const bytes = ciphertext as Buffer;
      const { key: secret } = usable(found(keys, name), bytes.readUInt16BE(0));
      const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(HEAD_BYTES, HEAD_BYTES + IV_BYTES));
      decipher.setAAD(aad as Buffer);
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const opened = decipher.update(bytes.subarray(HEAD_BYTES + IV_BYTES, -TAG_BYTES));
        return { plaintext: Buffer.concat([opened, decipher.final()]) };
      } catch {
        throw new Refused(INVALID_ARGUMENT, "Decryption failed");
      }
    },
  };
}

function addVersion(key: Key): Version {
  const name = `${key.name}/cryptoKeyVersions/${String(key.versions.length + 1)}`;
  const version: Version = { name, key: randomBytes(32), state: "ENABLED" };
  key.versions.push(version);
  return version;
}

function view(key: Key): object {
  const { name, createTime, versions, primary } = key;
  return { name, createTime, primary: versions[primary - 1] };
}

function found(keys: ReadonlyMap<string, Key>, name: unknown): Key {
  const key = keys.get(String(name));
  if (key === undefined) throw new Refused(NOT_FOUND, String(name));
  return key;
}

function usable(key: Key, number: number): Version {
  const version = key.versions[number - 1];
  if (version?.state !== "ENABLED") throw new Refused(FAILED_PRECONDITION, key.name);
  return version;
}
