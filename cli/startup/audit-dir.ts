import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@/domain/config";
import { makeKeyPair } from "@/engine/audit/signing-key";
import { writePrivateText } from "./data-dir";

const OWN = 0o700;

/** The key of a data directory, the public one beside it, and its file of checkpoints. */
export function auditFiles(dataDir: string) {
  const directory = join(dataDir, "audit");
  return {
    directory,
    key: join(directory, "signing-key.pem"),
    publicKey: join(directory, "public-key.pem"),
    checkpoints: join(directory, "checkpoints.ndjson"),
  };
}

type AuditConfig = Pick<Config, "auditKey" | "auditKeyFile" | "auditSinks">;

/**
 * A stack on one machine signs its audit without being asked: key and checkpoints are in the data directory, beside the database and
 * not in it. What the environment says goes first.
 */
export function ensureAuditKey(dataDir: string, config: AuditConfig): Partial<AuditConfig> {
  const files = auditFiles(dataDir);
  const sinks = config.auditSinks.length > 0 ? config.auditSinks : [`file:${files.checkpoints}`];
  mkdirSync(files.directory, { recursive: true, mode: OWN });
  if (config.auditKey !== undefined || config.auditKeyFile !== undefined) return { auditSinks: sinks };
  if (!existsSync(files.key)) writeKeyPair(files.key, files.publicKey);
  return { auditKeyFile: files.key, auditSinks: sinks };
}

/** Makes a pair: the private key for its owner alone, the public one for whoever verifies. */
export function writeKeyPair(keyFile: string, publicFile: string): void {
  const { privatePem, publicPem } = makeKeyPair();
  writeFileSync(publicFile, publicPem);
  writePrivateText(keyFile, privatePem);
}
