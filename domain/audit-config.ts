import { z } from "zod";
import { hasProtocol, whole } from "./config-values";

const MOST_SINKS = 8;
const [MIN_SECONDS, MAX_SECONDS, DEFAULT_SECONDS] = [5, 86_400, 300] as const;

/** A place of AUDIT_SINKS. */
function isSink(text: string): boolean {
  if (text === "log") return true;
  if (text.startsWith("file:")) return text.length > "file:".length;
  return hasProtocol(text, ["postgres:", "postgresql:", "https:"]) || isLocal(text);
}

/** Without TLS only to this machine: the token would be read on the way. */
function isLocal(text: string): boolean {
  return hasProtocol(text, ["http:"]) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(text).hostname);
}

/** What signs the audit, and where its checkpoints go (docs/runbooks/audit.md). */
export const auditSettings = {
  /** Ed25519 private key in PEM; or the file that holds it, which nobody else may open. */
  auditKey: z.string().optional(),
  auditKeyFile: z.string().optional(),
  /** File of public keys in PEM that signed before this one. */
  auditPublicKeys: z.string().optional(),
  /** Where checkpoints go outside of the database, separated by commas. */
  auditSinks: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((entry) => entry.trim() || []))
    .refine(
      (entries) => entries.every(isSink),
      "must be a list of file:PATH, postgres://…, https://… and log (http:// to this machine only)",
    )
    .refine((entries) => entries.length <= MOST_SINKS, `must have at most ${String(MOST_SINKS)} entries`),
  /** Sent as the bearer token of a PUT. */
  auditSinkToken: z.string().optional(),
  /** After so long an entry is under a checkpoint; dangerous acts are at once. */
  auditCheckpointSeconds: whole(MIN_SECONDS, MAX_SECONDS, DEFAULT_SECONDS),
};

interface Given {
  readonly auditKey: string | undefined;
  readonly auditKeyFile: string | undefined;
  readonly auditSinks: readonly string[];
  readonly databaseUrl: string | undefined;
}

/** @returns a sentence for each thing that does not fit */
export function auditContradictions({ auditKey, auditKeyFile, auditSinks, databaseUrl }: Given): string[] {
  const problems: string[] = [];
  const hasKey = auditKey !== undefined || auditKeyFile !== undefined;
  if (auditKey !== undefined && auditKeyFile !== undefined)
    problems.push("AUDIT_KEY and AUDIT_KEY_FILE are two keys: leave one out");
  if (auditSinks.length > 0 && !hasKey) problems.push("AUDIT_SINKS needs AUDIT_KEY_FILE: checkpoints are signed");
  if (databaseUrl !== undefined && auditSinks.some((sink) => sameDatabase(sink, databaseUrl)))
    problems.push("AUDIT_SINKS must name another database than DATABASE_URL: its owner is whom checkpoints watch");
  return problems;
}

function sameDatabase(sink: string, databaseUrl: string): boolean {
  if (!hasProtocol(sink, ["postgres:", "postgresql:"])) return false;
  const [one, other] = [new URL(sink), new URL(databaseUrl)];
  return (
    one.hostname === other.hostname &&
    (one.port || "5432") === (other.port || "5432") &&
    one.pathname === other.pathname
  );
}
