import type { Config } from "@/domain/config";
import { readPublicKeys, readSigningKey, signingKeyOf, type PublicKeys, type SigningKey } from "./signing-key";

export type AuditKeyConfig = Pick<Config, "auditKey" | "auditKeyFile" | "auditPublicKeys">;

export interface AuditKeys {
  /** Undefined: this process signs nothing. */
  readonly key: SigningKey | undefined;
  /** What may verify: this key and those of before. */
  readonly known: PublicKeys;
}

export const NO_AUDIT_KEYS: AuditKeys = { key: undefined, known: new Map() };

/** Reads the key that this process signs the audit with, and those of before. @throws Error in one sentence, without a key */
export function readAuditKeys(config: AuditKeyConfig): AuditKeys {
  const { auditKey, auditKeyFile, auditPublicKeys } = config;
  const before = auditPublicKeys === undefined ? [] : [...readPublicKeys(auditPublicKeys).values()];
  const key = keyOf(auditKey, auditKeyFile);
  const all = key === undefined ? before : [key.publicKey, ...before];
  return { key, known: new Map(all.map((each) => [each.id, each])) };
}

/** PEM in a variable may have `\n` where a file has line ends. */
function keyOf(text: string | undefined, file: string | undefined): SigningKey | undefined {
  if (text !== undefined) return signingKeyOf(text.replaceAll("\\n", "\n"), "AUDIT_KEY");
  return file === undefined ? undefined : readSigningKey(file);
}
