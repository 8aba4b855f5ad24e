import { startPooler, type TestPooler } from "./pooler";
import { prepareTestServer } from "./test-database";
import { startTestServer, type TestServer } from "./test-server";

/**
 * One PostgreSQL for the whole run, whichever projects use this set-up: the one of DATABASE_URL_TEST (left running), else
 * a throw-away one; with DATABASE_URL_CITUS the coordinator of a cluster (tests/citus/). With TEST_POOLER=pgbouncer what is under test reaches it through PgBouncer in transaction mode. Tests find it in DATABASE_URL_TEST through `createTestDatabase()`.
 */
interface Shared {
  users: number;
  readonly started: Promise<{ readonly server: TestServer | undefined; readonly pooler: TestPooler | undefined }>;
}

// Each project loads this file anew, so the one server is kept where all of them find it.
const holder = globalThis as { onceboardTestServer?: Shared | undefined };

export async function setup(): Promise<void> {
  const shared = (holder.onceboardTestServer ??= { users: 0, started: begin() });
  shared.users += 1;
  await shared.started;
}

export async function teardown(): Promise<void> {
  const shared = holder.onceboardTestServer;
  if (shared === undefined) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  holder.onceboardTestServer = undefined;
  const { server, pooler } = await shared.started;
  delete process.env["DATABASE_POOLER_PORT_TEST"];
  await pooler?.stop();
  if (server === undefined) return;
  delete process.env["DATABASE_URL_TEST"];
  await server.stop();
}

async function begin(): Promise<Awaited<Shared["started"]>> {
  const citus = process.env["DATABASE_URL_CITUS"];
  if (citus !== undefined && citus !== "") process.env["DATABASE_URL_TEST"] = citus;
  const given = process.env["DATABASE_URL_TEST"];
  const server = given === undefined || given === "" ? await startTestServer() : undefined;
  if (server !== undefined) process.env["DATABASE_URL_TEST"] = server.url;
  const url = server?.url ?? given ?? "";
  await prepareTestServer(url);
  const pooler = process.env["TEST_POOLER"] === "pgbouncer" ? await startPooler(url) : undefined;
  if (pooler !== undefined) process.env["DATABASE_POOLER_PORT_TEST"] = String(pooler.port);
  return { server, pooler };
}
