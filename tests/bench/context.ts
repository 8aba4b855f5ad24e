import { randomBytes } from "node:crypto";
import type { Database } from "@/db/client";
import { createEngineBase } from "@/engine/base";
import { engineContext, type Actor, type EngineContext } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";

const CONFIG = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 24,
  metadataTtlDays: 90,
  providerTimeoutMs: 10_000,
};

interface BenchContextOptions {
  readonly tenantId: string;
  readonly actor: Actor;
  /** Those of the hosts that share the database; others of this run without them. */
  readonly encryptionKeys?: string | undefined;
  readonly secret?: string | undefined;
}

/** The engine in this process; whoever makes it closes its `answers` before its database. */
export function benchContext(
  db: Database,
  {
    tenantId,
    actor,
    encryptionKeys = `bench:${randomBytes(32).toString("base64")}`,
    secret = randomBytes(32).toString("hex"),
  }: BenchContextOptions,
): EngineContext {
  const base = createEngineBase({
    db,
    instance: "bench-1",
    config: CONFIG,
    encryptionKeys,
    secret,
    log: createLog("silent"),
  });
  return engineContext(base, { tenantId, actor, requestId: "bench" });
}
