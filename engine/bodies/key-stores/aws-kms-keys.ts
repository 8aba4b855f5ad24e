import { setTimeout as delay } from "node:timers/promises";
import type { KeyPeriod } from "../key-store";
import { ASK_MS, loadClient, periodName } from "./managed";
import { readWrapped, writeWrapped } from "./wrapped-by-service";

/** The shortest that AWS KMS takes. */
const PENDING_DAYS = 7;
/** A key or an alias that was just made may be unknown elsewhere for a while ("eventual consistency" in its guide). */
const SETTLES_MS = 10 * 60_000;
const TRIES = 5;
const FIRST_WAIT_MS = 100;
/** Of 100 aliases each. */
const MAX_PAGES = 100;
const PAGE_SIZE = 100;
/** Of one request, by the client itself. */
const ATTEMPTS = 3;
const LIMITS = { connectionTimeout: ASK_MS, requestTimeout: ASK_MS, throwOnRequestTimeout: true } as const;

export const errorName = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
export const isMissing = (error: unknown): boolean => errorName(error) === "NotFoundException";

/** The client with its commands, as its own environment configures it. @throws KeyStoreUnavailableError when it is not installed */
export async function openAwsKms() {
  const kms = await loadClient("aws-kms", "@aws-sdk/client-kms", () => import("@aws-sdk/client-kms"));
  return { kms, client: new kms.KMSClient({ maxAttempts: ATTEMPTS, requestHandler: LIMITS }) };
}

export type AwsKms = Awaited<ReturnType<typeof openAwsKms>>;

export async function describeKey({ kms, client }: AwsKms, keyId: string) {
  const { KeyMetadata } = await client.send(new kms.DescribeKeyCommand({ KeyId: keyId }));
  return KeyMetadata;
}

/** @returns id of the key that the alias leads to: a new one, or undefined when another process was first */
export async function makeKey({ kms, client }: AwsKms, alias: string): Promise<string | undefined> {
  const tags = [{ TagKey: "onceboard", TagValue: "key store" }];
  const { KeyMetadata } = await client.send(new kms.CreateKeyCommand({ Description: alias, Tags: tags }));
  const keyId = KeyMetadata?.Arn ?? "";
  try {
    await client.send(new kms.CreateAliasCommand({ AliasName: alias, TargetKeyId: keyId }));
    return keyId;
  } catch (error) {
    // Nothing was sealed by it: it costs nothing while it waits.
    await client.send(new kms.ScheduleKeyDeletionCommand({ KeyId: keyId, PendingWindowInDays: PENDING_DAYS }));
    if (errorName(error) === "AlreadyExistsException") return undefined;
    throw error;
  }
}

/** Makes the key that the alias leads to where there is none. */
export async function wrapUnder(line: AwsKms, alias: string, period: KeyPeriod, plain: Uint8Array): Promise<Buffer> {
  const { kms, client } = line;
  let keyId = alias;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const command = { KeyId: keyId, Plaintext: plain, EncryptionContext: contextOf(period) };
      const { CiphertextBlob: ciphertext, KeyId: key } = await client.send(new kms.EncryptCommand(command));
      if (ciphertext === undefined || key === undefined) throw new Error("no ciphertext");
      return writeWrapped({ key, atMs: Date.now(), ciphertext });
    } catch (error) {
      if (!isMissing(error) || attempt === TRIES) throw error;
      if (attempt === 1) keyId = (await makeKey(line, alias)) ?? alias;
      else await delay(FIRST_WAIT_MS * 2 ** attempt);
    }
  }
}

/** @returns undefined when the key that wrapped it is gone, or about to go */
export async function unwrapBy(line: AwsKms, period: KeyPeriod, wrapped: Uint8Array): Promise<Buffer | undefined> {
  const { kms, client } = line;
  const { key, atMs, ciphertext } = readWrapped(wrapped);
  const command = { KeyId: key, CiphertextBlob: ciphertext, EncryptionContext: contextOf(period) };
  try {
    const { Plaintext } = await client.send(new kms.DecryptCommand(command));
    return Plaintext && Buffer.from(Plaintext);
  } catch (error) {
    if (isMissing(error) && Date.now() - atMs > SETTLES_MS) return undefined;
    // Disabled is a person's switch, and no end.
    const stopped = errorName(error) === "KMSInvalidStateException";
    if (stopped && (await describeKey(line, key))?.KeyState === "PendingDeletion") return undefined;
    throw error;
  }
}

/** The alias goes last: as long as it is there, the next tick destroys what it leads to. */
export async function destroyKey(line: AwsKms, alias: string): Promise<void> {
  const { kms, client } = line;
  try {
    const key = await describeKey(line, alias);
    const command = { KeyId: key?.KeyId, PendingWindowInDays: PENDING_DAYS };
    if (key?.KeyState !== "PendingDeletion") await client.send(new kms.ScheduleKeyDeletionCommand(command));
    await client.send(new kms.DeleteAliasCommand({ AliasName: alias }));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The service filters by nothing. @throws Error when the account has more aliases than are looked through */
export async function aliasesOf({ kms, client }: AwsKms, prefix: string): Promise<string[]> {
  const found: string[] = [];
  let marker: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.send(new kms.ListAliasesCommand({ Limit: PAGE_SIZE, Marker: marker }));
    for (const { AliasName } of answer.Aliases ?? []) if (AliasName?.startsWith(prefix) === true) found.push(AliasName);
    if (answer.Truncated !== true) return found.sort();
    marker = answer.NextMarker;
  }
  throw new Error(`more than ${String(MAX_PAGES * PAGE_SIZE)} aliases`);
}

/** It stands in the service's own log in clear. */
function contextOf(period: KeyPeriod): Record<string, string> {
  return { onceboard: "period", name: periodName(period) };
}
