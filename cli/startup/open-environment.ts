import { join } from "node:path";
import { createDatabase } from "@/db/client";
import { startEmbedded, type Embedded } from "@/db/embedded/embedded";
import { migrate } from "@/db/migrate";
import { ensureProcessLogin } from "@/db/embedded/process-login";
import { requireSchema } from "@/db/migrations/require-schema";
import { isConnectionError } from "@/db/errors";
import { isElsewhere } from "@/db/restore/restored";
import { requireStandby } from "@/db/replica/open-replica";
import type { ModuleTables } from "@/db/modules/module-tables";
import { parseConfig, parseStartConfig, type Config, type Environment } from "@/domain/config";
import { readAuditKeys } from "@/engine/audit/audit-keys";
import { signAuditWith } from "@/engine/audit/signer";
import { prepareKeyStore } from "@/engine/bodies/key-stores/open";
import { ensureAuditKey } from "./audit-dir";
import { ensureLoginPassword, ensureSecrets, keptSecrets, openDataDir, type Secrets } from "./data-dir";
import { typed } from "./installation";
import { moduleTables } from "./module-tables";
import { reachDatabase } from "./reach-database";

export interface OpenedEnvironment {
  readonly config: Config;
  /** The same database as the owner of its tables, where that is known: to migrate, and to make up a history. */
  readonly ownerUrl: string;
  /** Brought with us, and not named by DATABASE_URL. */
  readonly embedded: Pick<Embedded, "alive" | "revive"> | undefined;
  /** Gives an embedded database back; the last process that uses it stops it. */
  close(): Promise<void>;
}

/**
 * The configuration of one process of a deployment. It makes nothing: neither a database, nor secrets, nor tables.
 *
 * @throws Error in one sentence when a variable is missing, or when the database is older than this version. A database
 *   that does not answer is no error: the process is not ready until it does
 */
export async function openDeployment(env: Environment): Promise<Config> {
  const config = parseConfig(env);
  await requireCurrent(config.databaseUrl, await moduleTables(config), true).catch((error: unknown) => {
    if (!isConnectionError(error)) throw error;
  });
  await requireReplica(config);
  return config;
}

/**
 * The configuration of a whole stack on one machine. Without DATABASE_URL it starts the embedded database of the data
 * directory, or joins the one that runs there already, and takes the secrets that are kept beside it. The database is there
 * then, and at this version.
 *
 * @param say told one line at a time what is being made
 * @throws Error in one sentence
 */
export async function openMigrated(
  env: Environment,
  say: (line: string) => void = () => undefined,
): Promise<OpenedEnvironment> {
  const start = parseStartConfig(env);
  if (start.databaseUrl !== undefined) {
    const config = parseConfig(env);
    signAuditWith(readAuditKeys(config).key);
    const ownerUrl = config.migrateDatabaseUrl ?? config.databaseUrl;
    await reachDatabase(ownerUrl);
    await migrate(ownerUrl, { modules: await moduleTables(config) });
    await reachDatabase(config.databaseUrl);
    await requireCurrent(config.databaseUrl, [], true);
    await prepareKeyStore(config);
    await requireReplica(config);
    return { config, ownerUrl, embedded: undefined, close: () => Promise.resolve() };
  }
  const dataDir = openDataDir(start.dataDir);
  const environment = await startIn(dataDir, env, ensureSecrets(dataDir), say);
  try {
    const { config, ownerUrl } = environment;
    await migrate(ownerUrl, { modules: await moduleTables(config) });
    await prepareKeyStore(config);
    return { ...environment, config: { ...config, databaseUrl: await processUrl(dataDir, ownerUrl) } };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/**
 * The configuration of one command: of the deployment that DATABASE_URL names, or of the embedded database that
 * `npm start` made in a data directory.
 *
 * @param dataDir of `--data-dir`
 * @throws Error in one sentence when there is none, or it is older than this version
 */
export async function openForCommand(env: Environment, dataDir: string | undefined): Promise<OpenedEnvironment> {
  const environment = await (dataDir === undefined ? named(env) : kept(env, dataDir));
  try {
    await requireCurrent(environment.config.databaseUrl);
    return environment;
  } catch (error) {
    await environment.close();
    throw error;
  }
}

async function named(env: Environment): Promise<OpenedEnvironment> {
  const { databaseUrl, dataDir } = parseStartConfig(env);
  if (databaseUrl === undefined)
    throw new Error(
      `DATABASE_URL is missing: name the database by it, or by --data-dir the one that start keeps, such as --data-dir ${dataDir}.`,
    );
  const config = parseConfig(env);
  signAuditWith(readAuditKeys(config).key);
  await reachDatabase(config.databaseUrl);
  return {
    config,
    ownerUrl: config.migrateDatabaseUrl ?? config.databaseUrl,
    embedded: undefined,
    close: () => Promise.resolve(),
  };
}

async function kept(env: Environment, dataDir: string): Promise<OpenedEnvironment> {
  const secrets = keptSecrets(dataDir);
  if (secrets === undefined)
    throw new Error(`There is no database in ${dataDir}: start and demo make one in DATA_DIR.`);
  return startIn(openDataDir(dataDir), env, secrets);
}

/** The processes of a stack log in as somebody who owns nothing; the owner's password stays with this one, which migrates. */
function processUrl(dataDir: string, ownerUrl: string): Promise<string> {
  return ensureProcessLogin(ownerUrl, ensureLoginPassword(dataDir));
}

async function startIn(
  dataDir: string,
  env: Environment,
  secrets: Secrets,
  say: (line: string) => void = () => undefined,
): Promise<OpenedEnvironment> {
  const start = parseStartConfig(env);
  const audit = ensureAuditKey(dataDir, start);
  const database = await startEmbedded({ dataDir, log: say });
  const config: Config = {
    ...start,
    ...audit,
    dataDir,
    databaseUrl: database.url,
    secret: start.secret ?? secrets.secret,
    encryptionKeys: start.encryptionKeys ?? secrets.encryptionKeys,
    keyStore: start.keyStore ?? "file",
    keyStoreDir: env["KEY_STORE_DIR"] === undefined ? join(dataDir, "keys") : start.keyStoreDir,
  };
  signAuditWith(readAuditKeys(config).key);
  return { config, ownerUrl: database.url, embedded: database, close: () => database.stop() };
}

/** @throws Error in one sentence when DATABASE_URL_READ names something else than a standby of this database */
async function requireReplica({ databaseUrl, databaseUrlRead }: Config): Promise<void> {
  if (databaseUrlRead !== undefined) await requireStandby(databaseUrl, databaseUrlRead);
}

/** @param toWork also that it is no copy: one that relays and recovers would do again what the original does */
async function requireCurrent(url: string, modules: readonly ModuleTables[] = [], toWork = false): Promise<void> {
  const db = createDatabase({ url, max: 1, applicationName: "onceboard start" });
  try {
    await requireSchema(db.pool, modules);
    if (toWork && (await isElsewhere(db.pool)))
      throw new Error(
        `This database was copied or restored from a backup: read docs/runbooks/restore.md, then run ${typed("restored")}.`,
      );
  } finally {
    await db.close();
  }
}

/** @returns the environment in which a child process, or Next in this one, parses the same configuration. */
export function environmentOf(config: Config, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  // What owns the tables is not handed on.
  const { MIGRATE_DATABASE_URL: _owner, ...rest } = env;
  return {
    ...rest,
    NODE_ENV: "production",
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    SECRET: config.secret,
    ENCRYPTION_KEYS: config.encryptionKeys,
    KEY_STORE: config.keyStore,
    ...(config.keyStore === "file" && { KEY_STORE_DIR: config.keyStoreDir }),
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
    BASE_PATH: config.basePath,
    SANDBOX_PORT: String(config.sandboxPort),
    ...(config.auditKeyFile !== undefined && { AUDIT_KEY_FILE: config.auditKeyFile }),
    AUDIT_SINKS: config.auditSinks.join(","),
  };
}
