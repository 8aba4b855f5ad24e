import { randomUUID } from "node:crypto";
import type PgBoss from "pg-boss";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import type { FoundTable } from "@/attach/contract/tables";
import { mappedKeysPreset } from "@/attach/mapped-keys/mapped-keys";
import { cap } from "@/attach/presets/cap";
import { pgBoss10 } from "@/attach/presets/pg-boss-10";
import { readAddress, sealAddress } from "@/console/attachments/attachment-secret";
import { createAttachment } from "@/console/attachments/attachment-actions";
import { moveAttachment, selectAttachment } from "@/db/attachments/attachments";
import { createDatabase, type Database } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { engineContext, type EngineBase } from "@/engine/context";
import { CAP_MAX_ATTEMPTS, CAP_ZONE, capStep, fillCapOrders } from "./cap-orders";
import { ensureDatabases, type DatabaseName, type ForeignServer } from "./databases";
import { installAttachment, ofLibrary, type Chosen } from "./install";
import { fillKeysApi, KEYS_MAP, KEYS_TABLE, keysStep } from "./keys-api";
import { sendPgBossJob, startPgBossJobs, stopPgBossJobs, workPgBossJobs } from "./pgboss-jobs";

/** Between two steps of their traffic. */
const STEP_MS = 4_000;
const CONNECTIONS = 1;
/** A key of the API that is in progress for longer is stale. */
const STALE_AFTER = "10 minutes";

/** As the console names them. */
export const ATTACHED_NAMES = { cap_orders: "cap-orders", pgboss_jobs: "pgboss-jobs", keys_api: "keys-api" } as const;

export interface AttachedOptions {
  readonly server: ForeignServer;
  readonly engine: EngineBase;
  readonly tenantId: string;
  /** The operator who attaches them, an admin. */
  readonly by: { readonly id: string; readonly name: string };
}

/** Three databases of other people, with what writes to them. */
export interface AttachedDatabases {
  /** One step of the traffic of those two that pg-boss does not work for, and one more job for it. */
  step(): Promise<void>;
  /** Lets pg-boss work, and goes on step by step until it is closed. @param failed told when the first one after others fails */
  run(failed: (line: string) => void): Promise<void>;
  /** Ends its traffic and gives all connections back. */
  close(): Promise<void>;
}

/**
 * Three databases that a team has already, beside ours on its server, and an attachment of each: tables as CAP makes them, pg-boss
 * itself, and keys in a table that was made by hand. What is there from an earlier start is kept; what somebody removed is attached again,
 * as an act of that operator that the audit has.
 */
export async function ensureAttached({ server, ...ours }: AttachedOptions): Promise<AttachedDatabases> {
  const addresses = await ensureDatabases(server);
  const owners: Database[] = [];
  const ownerOf = (name: DatabaseName): Database => {
    const url = addresses[name].ownerUrl;
    const owner = createDatabase({ url, max: CONNECTIONS, role: "owner", applicationName: name });
    owners.push(owner);
    return owner;
  };
  let boss: PgBoss | undefined;
  const close = async (): Promise<void> => {
    if (boss !== undefined) await stopPgBossJobs(boss);
    await Promise.all(owners.map((owner) => owner.close()));
  };
  try {
    const [orders, jobs, keys] = [ownerOf("cap_orders"), ownerOf("pgboss_jobs"), ownerOf("keys_api")] as const;
    if (!(await isThere(orders, "cap.published"))) await fillCapOrders(orders.pool);
    if (!(await isThere(keys, KEYS_TABLE))) await fillKeysApi(keys.pool);
    boss = await startPgBossJobs(addresses.pgboss_jobs.ownerUrl);
    const attach = async (name: DatabaseName, owner: Database, choose: (tables: readonly FoundTable[]) => Chosen) => {
      await installAttachment(owner.pool, addresses[name], choose);
      await keep(ours, ATTACHED_NAMES[name], addresses[name].url);
    };
    await attach("cap_orders", orders, ofLibrary(cap, { max_attempts: CAP_MAX_ATTEMPTS, time_zone: CAP_ZONE }));
    await attach("pgboss_jobs", jobs, ofLibrary(pgBoss10));
    await attach("keys_api", keys, ofKeys);
    return traffic({ orders, keys, boss, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function isThere({ pool }: Database, table: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({
    text: "select to_regclass($1) is not null as found",
    values: [table],
  });
  return rows[0]?.found === true;
}

function ofKeys(tables: readonly FoundTable[]): Chosen {
  const found = tables.find(({ name }) => name === KEYS_TABLE);
  if (found === undefined) throw new Error(`There is no table ${KEYS_TABLE}.`);
  return {
    preset: mappedKeysPreset(KEYS_MAP, found),
    tables: { keys: found },
    constants: { stale_after: STALE_AFTER },
  };
}

/** An attachment of this name, at the address that its database has since this start; a new one is made as the page of settings makes it. */
async function keep(
  { engine, tenantId, by }: Omit<AttachedOptions, "server">,
  name: string,
  url: string,
): Promise<void> {
  const { db, keyring, config } = engine;
  const found = await selectAttachment(db.pool, tenantId, { name });
  if (found !== undefined) {
    const { id } = found;
    const address = { id, sealed: sealAddress(keyring, { tenantId, id }, url), shown: readAddress(url).shown };
    await inTransaction(db, (tx) => moveAttachment(tx, tenantId, address));
    return;
  }
  // Whoever starts the demo holds the passwords of its operators.
  const confirmation = { fresh: true, by: ["password"] } as const;
  const actor = { kind: "operator", ...by, role: "admin", confirmation } as const;
  const key = randomUUID();
  await createAttachment(
    engineContext(engine, { tenantId, actor, requestId: key }),
    { idempotencyKey: key, receivedAt: performance.now(), reason: "npm run demo -- --attach" },
    { name, url, schema: ATTACH_SCHEMA },
    { allowedHosts: config.attachHosts },
  );
}

interface Writers {
  readonly orders: Database;
  readonly keys: Database;
  readonly boss: PgBoss;
  readonly close: () => Promise<void>;
}

function traffic({ orders, keys, boss, close }: Writers): AttachedDatabases {
  let [closed, failing] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const step = async (): Promise<void> => {
    await capStep(orders.pool);
    await keysStep(keys.pool);
    await sendPgBossJob(boss);
  };
  const next = (failed: (line: string) => void): void => {
    timer = setTimeout(() => {
      underWay = step()
        .then(
          () => void (failing = false),
          (error: unknown) => {
            if (!failing && !closed)
              failed(`attached databases: ${error instanceof Error ? error.message : String(error)}`);
            failing = true;
          },
        )
        .finally(() => {
          if (!closed) next(failed);
        });
    }, STEP_MS);
  };
  return {
    step,
    async run(failed) {
      await workPgBossJobs(boss);
      next(failed);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await underWay;
      await close();
    },
  };
}
