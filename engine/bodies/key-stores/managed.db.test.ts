import { grpc } from "google-gax";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { dayAgo, describeKeyStore } from "@/engine/testing/key-store-tests";
import { startCloudKms, type CloudKms } from "@/engine/testing/key-servers/cloud-kms";
import {
  findKeyServers,
  startLocalKms,
  startVault,
  type KeyServer,
  type VaultServer,
} from "@/engine/testing/key-servers/servers";
import { KeyStoreUnavailableError, type KeyStore } from "../key-store";
import { createAwsKeyStore } from "./aws-kms";
import { createGcpKeyStore } from "./gcp-kms";
import { periodName, tenantHash } from "./managed";
import { createVaultKeyStore } from "./vault";

const programs = findKeyServers();
for (const missing of programs.missing) process.stdout.write(`skipped, ${missing}\n`);

const period = { tenantId: "acme GmbH", day: dayAgo(3) };
const prepared = async (store: KeyStore): Promise<KeyStore> => {
  await Promise.all([store.prepare(), store.prepare()]);
  return store;
};
const refusal = (asking: Promise<unknown>) => expect(asking).rejects.toBeInstanceOf(KeyStoreUnavailableError);

describe.skipIf(programs.vault === undefined)("Vault's transit engine", () => {
  let server: VaultServer;
  const store = (over: { url?: string; mount?: string; token?: string } = {}) =>
    createVaultKeyStore({
      url: over.url ?? server.url,
      mount: over.mount ?? "transit",
      token: { value: over.token ?? server.token },
    });
  beforeAll(async () => {
    server = await startVault(programs.vault ?? "");
  });
  afterAll(() => server.stop());

  describeKeyStore("vault", () => prepared(store()));

  it("keeps keys that nobody takes out, by names that show no tenant", async () => {
    await store().wrap(period, Buffer.from("x"));
    const { data } = (await server.ask("GET", `transit/keys/${periodName(period)}`)) as { data: object };
    expect(data).toMatchObject({ exportable: false, allow_plaintext_backup: false, type: "aes256-gcm96" });
    expect(periodName(period)).not.toContain("acme");
  });

  it("is away, and no body looks purged, by another mount, a token without rights, or while it is sealed", async () => {
    const own = store();
    const [id, wrapped] = [await own.id(), await own.wrap(period, Buffer.from("x"))];
    await server.ask("POST", "sys/mounts/other", { type: "transit" });
    await refusal(store({ mount: "other" }).unwrap(period, wrapped));
    await refusal(store({ mount: "nowhere" }).unwrap(period, wrapped));
    await refusal(store({ token: "wrong" }).unwrap(period, wrapped));
    await refusal(store({ url: "http://127.0.0.1:9" }).unwrap(period, wrapped));
    const another = await prepared(store({ mount: "other" }));
    expect(await another.id()).not.toBe(id);
    expect(await store().id()).toBe(id);
    // The rights of the runbook, and no others.
    const policy = [
      'path "transit/keys/*" { capabilities = ["create", "read", "update", "delete"] }',
      'path "transit/keys" { capabilities = ["list"] }',
      'path "transit/encrypt/*" { capabilities = ["update"] }',
      'path "transit/decrypt/*" { capabilities = ["update"] }',
      'path "transit/hmac/onceboard-store" { capabilities = ["update"] }',
    ].join("\n");
    await server.ask("PUT", "sys/policies/acl/onceboard", { policy });
    const { auth } = (await server.ask("POST", "auth/token/create", { policies: ["onceboard"] })) as {
      auth: { client_token: string };
    };
    const limited = await prepared(store({ token: auth.client_token }));
    expect((await limited.unwrap(period, wrapped))?.toString()).toBe("x");
    await limited.wrap({ ...period, day: dayAgo(5) }, Buffer.from("y"));
    expect(await limited.daysBefore(period.tenantId, dayAgo(-1), 9)).toContain(dayAgo(5));
    await limited.destroy(period.tenantId, [dayAgo(5)]);
    expect(await limited.daysBefore(period.tenantId, dayAgo(-1), 9)).not.toContain(dayAgo(5));
    await server.ask("PUT", "sys/seal");
    await refusal(own.unwrap(period, wrapped));
  });
});

describe.skipIf(programs.kms === undefined)("AWS KMS", () => {
  let server: KeyServer;
  beforeAll(async () => {
    server = await startLocalKms(programs.kms ?? "");
    vi.stubEnv("AWS_ENDPOINT_URL_KMS", server.url);
    vi.stubEnv("AWS_REGION", "eu-west-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });

  describeKeyStore("aws-kms", () => prepared(createAwsKeyStore("onceboard/test")));

  /** Asks the server as its administrator. */
  async function admin() {
    const kms = await import("@aws-sdk/client-kms");
    return { kms, client: new kms.KMSClient({}) };
  }
  const alias = `alias/onceboard/test/${periodName(period)}`;

  it("is away, and no body looks purged, without its first key, and while a person has disabled a key", async () => {
    const own = createAwsKeyStore("onceboard/test");
    const wrapped = await own.wrap(period, Buffer.from("x"));
    await refusal(createAwsKeyStore("elsewhere").id());
    const { kms, client } = await admin();
    const { KeyMetadata } = await client.send(new kms.DescribeKeyCommand({ KeyId: alias }));
    await client.send(new kms.DisableKeyCommand({ KeyId: KeyMetadata?.KeyId }));
    await refusal(own.unwrap(period, wrapped));
    await client.send(new kms.EnableKeyCommand({ KeyId: KeyMetadata?.KeyId }));
    expect((await own.unwrap(period, wrapped))?.toString()).toBe("x");
    await refusal(own.unwrap({ ...period, tenantId: "another" }, wrapped));
  });

  it("deletes a key 7 days after it was told to, and ends what a process that died between two steps began", async () => {
    const own = createAwsKeyStore("onceboard/test");
    const wrapped = await own.wrap(period, Buffer.from("x"));
    const { kms, client } = await admin();
    const { KeyMetadata } = await client.send(new kms.DescribeKeyCommand({ KeyId: alias }));
    const schedule = { KeyId: KeyMetadata?.KeyId, PendingWindowInDays: 7 };
    await client.send(new kms.ScheduleKeyDeletionCommand(schedule));
    expect(await own.unwrap(period, wrapped)).toBeUndefined();
    expect(await own.daysBefore(period.tenantId, dayAgo(-1), 9)).toContain(period.day);
    await own.destroy(period.tenantId, [period.day]);
    expect(await own.daysBefore(period.tenantId, dayAgo(-1), 9)).not.toContain(period.day);
    const { KeyMetadata: after } = await client.send(new kms.DescribeKeyCommand({ KeyId: KeyMetadata?.KeyId }));
    expect(after?.KeyState).toBe("PendingDeletion");
    const left = (after?.DeletionDate?.getTime() ?? 0) - Date.now();
    expect(Math.ceil(left / 86_400_000)).toBe(7);
  });
});

describe("Google Cloud KMS, by its official client against a server of the test's own", () => {
  const RING = "projects/shop/locations/europe-west3/keyRings/onceboard";
  let server: CloudKms;
  const store = (ring = RING) =>
    createGcpKeyStore(ring, {
      apiEndpoint: "127.0.0.1",
      port: server.port,
      sslCreds: grpc.credentials.createInsecure(),
    });
  beforeAll(async () => {
    server = await startCloudKms();
  });
  afterAll(() => server.stop());

  describeKeyStore("gcp-kms", () => prepared(store()));

  it("is away, and no body looks purged, in another key ring, and while a person has disabled a version", async () => {
    const own = store();
    const wrapped = await own.wrap(period, Buffer.from("x"));
    await refusal(store(`${RING}-2`).id());
    const key = `${RING}/cryptoKeys/${tenantHash(period.tenantId)}-${period.day}`;
    server.setState(key, "DISABLED");
    await refusal(own.unwrap(period, wrapped));
    await refusal(own.wrap(period, Buffer.from("y")));
    server.setState(key, "ENABLED");
    expect((await own.unwrap(period, wrapped))?.toString()).toBe("x");
    expect(await own.unwrap({ ...period, day: dayAgo(8) }, wrapped)).toBeUndefined();
  });
});
