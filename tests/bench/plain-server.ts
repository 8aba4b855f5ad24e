import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createDatabase } from "@/db/client";
import { createContainer } from "@/http/container";
import { parseConfig } from "@/domain/config";
import source from "@/onceboard.config";
import { providerOf } from "@/payments/provider/provider-of";
import { createPlainApp } from "./plain-app";

/**
 * The same API without idempotency, in a process of its own like cli/api.ts. Connections: as many as http/container.ts gives to a
 * process that answers requests.
 */
const PLAIN_POOL_SIZE = 32;
const config = parseConfig(process.env);
const deps = await createContainer(config, "plain", source);
const provider = providerOf(config);
// It writes its outbox rows by itself, as such a service does: our processes may not.
const db = createDatabase({
  url: config.databaseUrl,
  max: PLAIN_POOL_SIZE,
  applicationName: "bench plain",
  role: "owner",
});
const listener = getRequestListener(createPlainApp({ ...deps, db, engine: { ...deps.engine, db } }, provider).fetch);
const server = createServer((request, response) => void listener(request, response));
process.once("SIGTERM", () => {
  server.closeAllConnections();
  provider.close();
  server.close(() => void Promise.all([deps.close(), db.close()]).then(() => process.exit(0)));
});
server.listen(config.port, "127.0.0.1", () => process.stdout.write(`plain ready on ${String(config.port)}\n`));
