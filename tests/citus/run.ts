/**
 * `npm run test:citus`: starts a coordinator and two workers, runs the given test files of the database on them, and ends them. Needs Citus among
 * the extensions of the PostgreSQL (tests/citus/build.sh). CI has none and does not run it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { POSTGRES_15, startCitusCluster } from "./cluster";

/** What is known to hold there (docs/scale/citus.md). */
const FILES = ["db/distribute", "db/together/claims-together", "db/transaction.db.test.ts", "engine/execute/"] as const;

const programs = process.env["CITUS_POSTGRES_BIN"] ?? POSTGRES_15;
const given = process.argv.slice(2);
const cluster = await startCitusCluster(programs);
try {
  const args = ["run", "--project", "db", ...(given.length > 0 ? given : FILES)];
  const child = spawn(join("node_modules", ".bin", "vitest"), args, {
    stdio: "inherit",
    env: { ...process.env, DATABASE_URL_CITUS: cluster.url },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await cluster.stop();
}
