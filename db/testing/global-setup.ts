import { prepareTestServer } from "./test-database";
import { startTestServer, type TestServer } from "./test-server";

/**
 * One PostgreSQL for the whole run, whichever projects use this set-up: the one of DATABASE_URL_TEST (left running), else
 * a throw-away one. Tests find it in DATABASE_URL_TEST through `createTestDatabase()`.
 */
interface Shared {
  users: number;
  readonly started: Promise<TestServer | undefined>;
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
  const server = await shared.started;
  if (server === undefined) return;
  delete process.env["DATABASE_URL_TEST"];
  await server.stop();
}

async function begin(): Promise<TestServer | undefined> {
  const given = process.env["DATABASE_URL_TEST"];
  const server = given === undefined || given === "" ? await startTestServer() : undefined;
  if (server !== undefined) process.env["DATABASE_URL_TEST"] = server.url;
  await prepareTestServer(server?.url ?? given ?? "");
  return server;
}
