/**
 * A test server that stays, so that test runs need not start one each: prints its URL and runs until it is ended.
 *
 *   npx tsx scripts/test-postgres.ts [port]      then     DATABASE_URL_TEST=<url> npx vitest run …
 */
import { prepareTestServer } from "@/db/testing/test-database";
import { startTestServer } from "@/db/testing/test-server";

const port = process.argv[2];
const server = await startTestServer(port === undefined ? {} : { port: Number(port) });
await prepareTestServer(server.url);
process.stdout.write(`${server.url}\n`);

const keepAlive = setInterval(() => undefined, 60_000);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    clearInterval(keepAlive);
    void server.stop();
  });
}
