import { startEmbedded } from "@/db/embedded/embedded";
import { migrate } from "@/db/migrate";
import { parseConfig, parseStartConfig, type Config, type Environment } from "@/domain/config";
import { ensureSecrets, openDataDir } from "./data-dir";
import { reachDatabase } from "./reach-database";

export interface OpenedEnvironment {
  readonly config: Config;
  /** Brought with us, and not named by DATABASE_URL. */
  readonly embedded: boolean;
  /** Gives an embedded database back; the last process that uses it stops it. */
  close(): Promise<void>;
}

/**
 * The configuration of a process. Without DATABASE_URL it starts the embedded database of the data directory, or joins the
 * one that runs there already, brings it up to date, and takes the secrets that are kept beside it.
 *
 * @param say told one line at a time what is being made
 * @throws Error in one sentence
 */
export async function openEnvironment(
  env: Environment,
  say: (line: string) => void = () => undefined,
): Promise<OpenedEnvironment> {
  const start = parseStartConfig(env);
  if (start.databaseUrl !== undefined) {
    return { config: parseConfig(env), embedded: false, close: () => Promise.resolve() };
  }
  const dataDir = openDataDir(start.dataDir);
  const secrets = ensureSecrets(dataDir);
  const database = await startEmbedded({ dataDir, log: say });
  try {
    await migrate(database.url);
  } catch (error) {
    await database.stop();
    throw error;
  }
  const config: Config = {
    ...start,
    dataDir,
    databaseUrl: database.url,
    secret: start.secret ?? secrets.secret,
    encryptionKeys: start.encryptionKeys ?? secrets.encryptionKeys,
  };
  return { config, embedded: true, close: () => database.stop() };
}

/** @returns the environment in which a child process, or Next in this one, parses the same configuration. */
export function environmentOf(config: Config, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return {
    ...env,
    NODE_ENV: "production",
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    SECRET: config.secret,
    ENCRYPTION_KEYS: config.encryptionKeys,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
    SANDBOX_PORT: String(config.sandboxPort),
  };
}

/**
 * As {@link openEnvironment}, for a command that needs the database at once: it is there, and at this version.
 *
 * @throws Error in one sentence
 */
export async function openMigrated(env: Environment, say?: (line: string) => void): Promise<OpenedEnvironment> {
  const environment = await openEnvironment(env, say);
  if (!environment.embedded) {
    await reachDatabase(environment.config.databaseUrl);
    await migrate(environment.config.databaseUrl);
  }
  return environment;
}
