import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@/db/client";
import { createTestDatabase } from "@/db/testing/test-database";
import { createRecorder } from "./oracles/recorder";

/** A database of the suite, with its recorder; every run is a tenant of its own in it. */
export interface CrashEnvironment {
  /** As the owner of the tables. */
  readonly db: Database;
  readonly url: string;
  readonly encryptionKeys: string;
  readonly secret: string;
  /** Of files that its children write. */
  readonly dataDir: string;
  close(): Promise<void>;
}

/** Connections of the harness itself: journals of all sessions. */
const OWN_CONNECTIONS = 12;
/** An oracle reads all rows of a tenant. */
const ORACLE_MS = 120_000;

/** @param prepare changes the database before the first child sees it, e.g. plants a bug */
export async function openCrashEnvironment(prepare?: (db: Database) => Promise<void>): Promise<CrashEnvironment> {
  const test = await createTestDatabase({
    max: OWN_CONNECTIONS,
    applicationName: "crash suite",
    statementTimeoutMs: ORACLE_MS,
  });
  try {
    await createRecorder(test.db.pool);
    await prepare?.(test.db);
  } catch (error) {
    await test.drop();
    throw error;
  }
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-crash-"));
  return {
    db: test.db,
    url: test.url,
    encryptionKeys: `k1:${randomBytes(32).toString("base64")}`,
    secret: randomBytes(32).toString("hex"),
    dataDir,
    async close() {
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
