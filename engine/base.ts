import type { Database } from "@/db/client";
import { OWN_SCOPES } from "@/domain/access/permission";
import type { OperationKind } from "@/domain/operation-kind";
import { FINGERPRINT_RULES } from "@/domain/idempotency/fingerprint-rules";
import { NO_AUDIT_KEYS, type AuditKeys } from "./audit/audit-keys";
import { createBodyKeyring } from "./bodies/body-keyring";
import type { KeyStore } from "./bodies/key-store";
import type { EngineBase } from "./context";
import { createKindSource } from "./kinds";
import type { Log } from "./telemetry/log";
import { createPolicySource } from "./policies/policies";
import { createAnswerRecorder, createRefusalRecorder } from "./execute/recorders";
import type { EngineConfig } from "./engine-config";

export interface EngineOptions {
  readonly db: Database;
  /** Name of the process on leases. */
  readonly instance: string;
  readonly config: EngineConfig;
  readonly encryptionKeys: string;
  readonly secret: string;
  readonly log: Log;
  /** Holds the keys of periods; the caller closes it. Without one data keys are wrapped by ENCRYPTION_KEYS alone. */
  readonly keyStore?: KeyStore | undefined;
  /** Of the operations that this process has the code of. */
  readonly kinds?: readonly OperationKind[];
  readonly auditKeys?: AuditKeys;
  /** What an API key may be for; without modules only what is ours. */
  readonly scopes?: readonly string[];
}

/**
 * The engine's parts that live as long as a process; the caller closes `answers` and `refusals` before `db`.
 * @throws Error naming a broken entry of ENCRYPTION_KEYS, never its value
 */
export function createEngineBase(options: EngineOptions): EngineBase {
  const { db, instance, config, log } = options;
  return {
    db,
    instance,
    config,
    log,
    keyring: createBodyKeyring(options),
    policies: createPolicySource(db, config),
    kinds: createKindSource(db, options.kinds ?? []),
    scopes: options.scopes ?? OWN_SCOPES,
    auditKeys: options.auditKeys ?? NO_AUDIT_KEYS,
    fingerprints: FINGERPRINT_RULES,
    answers: createAnswerRecorder(db, log),
    refusals: createRefusalRecorder(db, log),
  };
}
