import { randomBytes } from "node:crypto";
import { keyUseOf } from "@/auth/api-keys/key-use";
import { ACT_KINDS, ACT_OPERATIONS } from "@/console/attachments/act-operations";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { createAuth } from "@/auth/sessions";
import { createDatabase, type Database, type DatabaseOptions } from "@/db/client";
import { openReplica } from "@/db/replica/open-replica";
import type { ReadReplica } from "@/db/replica/read-replica";
import type { Config } from "@/domain/config";
import { readAuditKeys } from "@/engine/audit/audit-keys";
import { signAuditWith } from "@/engine/audit/signer";
import { createEngineBase } from "@/engine/base";
import { openKeyStore } from "@/engine/bodies/key-stores/open";
import { createLog, type Log } from "@/engine/telemetry/log";
import { poolMeter } from "@/engine/telemetry/meters";
import type { ConfigSource } from "@/engine/module/config";
import { loadModules, registryOf, type Modules } from "@/engine/module/load";
import type { Container } from "./env";

export type { Container } from "./env";

/**
 * Connections of a process that answers requests. Commits wait for the disk and share its flushes, so more of them under way
 * finish sooner: 32 made twice the provider creates of 16 (docs/BENCHMARKS.md). Two such processes, pages and a worker stay
 * below PostgreSQL's usual 100.
 */
const POOL_SIZE = 32;
/** Processes that do not answer the API's callers, or not many of them. */
const SMALLER_POOLS: Readonly<Record<string, number>> = { next: 16, worker: 8 };
const INSTANCE_BYTES = 2;
const MS_PER_SECOND = 1_000;

/**
 * Makes what a process works with; nothing connects before the first use.
 *
 * @param role of the process, e.g. `api`, `worker`; part of its name on leases, in logs and in pg_stat_activity
 * @param source of the modules that the process runs
 * @param options.log instead of lines on standard error
 * @throws Error in one sentence when the configuration names something that is not there, or a module is wrong
 */
export function createContainer(
  config: Config,
  role: string,
  source: ConfigSource,
  options: { readonly log?: Log } = {},
): Promise<Container & { close(): Promise<void> }> {
  const instance = `${role}-${String(process.pid)}-${randomBytes(INSTANCE_BYTES).toString("hex")}`;
  const log = options.log ?? createLog(config.logLevel, { process: role, instance }, { secret: config.secret });
  const modules = withOwnOperations(loadModules(source, config));
  const auditKeys = readAuditKeys(config);
  signAuditWith(auditKeys.key);
  const pool: Omit<DatabaseOptions, "url"> = {
    max: SMALLER_POOLS[role] ?? POOL_SIZE,
    applicationName: `onceboard ${role}`,
    onError: (error) => log.warn({ err: error }, "a database connection broke, another one takes its place"),
    observer: poolMeter,
    onUnguarded: (reason) =>
      log.warn(
        { reason },
        "the database does not guard the state machine: this user cannot take the role onceboard_app",
      ),
  };
  const db = createDatabase({ ...pool, url: config.databaseUrl });
  const replica = replicaOf(config, db, pool, log);
  const { encryptionKeys, secret } = config;
  const { kinds, scopes, registry, consumers } = modules;
  const keyStore = openKeyStore(config);
  const parts = { db, instance, config, encryptionKeys, keyStore, secret, log, kinds, scopes, auditKeys };
  const engine = createEngineBase(parts);
  const { keyring, answers } = engine;
  const auth = createAuth({ db, secret, publicUrl: config.publicUrl, log, oidc: config.oidc });
  let closing: Promise<void> | undefined;
  return Promise.resolve({
    db,
    replica,
    config,
    auth,
    modules,
    registry,
    consumers,
    keyring,
    answers,
    log,
    instance,
    engine,
    close: () => (closing ??= closeAll()),
  });

  async function closeAll(): Promise<void> {
    // Answers that wait in memory are evidence: they are written before the connections go.
    await Promise.all([answers.close(), engine.refusals.close(), keyUseOf(db).flush(), auth.access.flush()]);
    await Promise.all([modules.close(), closeAttachments()]);
    await keyStore?.close();
    await replica?.close();
    await db.close();
  }
}

function replicaOf(
  { databaseUrlRead: url, readReplicaMaxLagSeconds }: Config,
  primary: Database,
  pool: Omit<DatabaseOptions, "url">,
  log: Log,
): ReadReplica | undefined {
  if (url === undefined) return undefined;
  return openReplica(primary, {
    ...pool,
    url,
    // What it refuses to write does not matter: a standby takes no writes.
    onUnguarded: () => undefined,
    onGaveUp: (error) => log.warn({ err: error }, "a read on the read replica failed and is made on the primary"),
    maxLagMs: readReplicaMaxLagSeconds * MS_PER_SECOND,
    onChange(state) {
      if (state.kind === "silent")
        log.warn({ err: state.error }, "the read replica does not answer: pages are read from the primary");
      else if (state.kind === "not_standby")
        log.error(
          { reason: state.reason },
          "DATABASE_URL_READ is no standby of DATABASE_URL: pages are read from the primary",
        );
      else log.info({}, "pages are read from the read replica");
    },
  });
}

/** Beside those of modules: what the console itself does in other databases, and recovery settles. */
function withOwnOperations(modules: Modules): Modules {
  const own = registryOf(ACT_OPERATIONS.map((definition) => ({ definition })));
  return {
    ...modules,
    kinds: [...modules.kinds, ...ACT_KINDS],
    registry: { provider: (name) => modules.registry.provider(name) ?? own.provider(name) },
  };
}
