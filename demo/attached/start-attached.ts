import { createDatabase } from "@/db/client";
import type { Config } from "@/domain/config";
import { createEngineBase } from "@/engine/base";
import { openKeyStore, type KeyStoreConfig } from "@/engine/bodies/key-stores/open";
import { createLog } from "@/engine/telemetry/log";
import type { People } from "../people";
import { ATTACHED_NAMES, ensureAttached, type AttachedDatabases } from "./attached";
import type { DatabaseName } from "./databases";

const TENANT = "acme";
const MAX_CONNECTIONS = 2;

const WHAT: Readonly<Record<DatabaseName, string>> = {
  cap_orders: "messages of CAP",
  pgboss_jobs: "jobs of pg-boss",
  keys_api: "keys in a table made by hand",
};

/** The attached databases of a demo that runs. */
export interface AttachedDemo {
  /** By their names in addresses. */
  readonly sources: readonly { readonly name: string; readonly is: string }[];
  /** Begins their traffic, which ends with the demo. */
  run(): Promise<void>;
}

/**
 * Three attached databases on the server of the demo's own, with a past.
 *
 * @param config its `databaseUrl` is of somebody who may make databases and roles
 * @param stopping aborted: their traffic ends, and their connections are given back
 * @throws Error in one sentence
 */
export async function startAttached(
  config: Config & KeyStoreConfig,
  { operators }: Pick<People, "operators">,
  { say, stopping }: { readonly say: (line: string) => void; readonly stopping: AbortSignal },
): Promise<AttachedDemo> {
  const { databaseUrl, encryptionKeys, secret, dataDir } = config;
  const by = operators.find(({ role }) => role === "admin");
  if (by === undefined) throw new Error("--attach attaches as an admin of the demo, and it has none.");
  const db = createDatabase({
    url: databaseUrl,
    max: MAX_CONNECTIONS,
    role: "owner",
    applicationName: "onceboard demo",
  });
  const keyStore = openKeyStore(config);
  let attached: AttachedDatabases;
  try {
    const log = createLog("silent");
    const engine = createEngineBase({
      ...{ db, config, encryptionKeys, secret, keyStore, log, instance: "demo-attach" },
    });
    try {
      attached = await ensureAttached({
        server: { adminUrl: databaseUrl, dataDir },
        ...{ engine, tenantId: TENANT, by: { id: by.id, name: by.name } },
      });
    } finally {
      await engine.answers.close();
    }
  } finally {
    await keyStore?.close();
    await db.close();
  }
  const end = (): void =>
    void attached
      .close()
      .catch((error: unknown) => say(`attached databases: ${error instanceof Error ? error.message : String(error)}`));
  if (stopping.aborted) end();
  else stopping.addEventListener("abort", end, { once: true });
  return {
    sources: Object.entries(WHAT).map(([name, is]) => ({ name: ATTACHED_NAMES[name as DatabaseName], is })),
    run: () => attached.run(say),
  };
}
