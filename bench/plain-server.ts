import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createDeps } from "@/http/deps";
import { parseConfig } from "@/domain/config";
import { createPlainApp } from "./plain-app";

/** The same API without idempotency, in a process of its own like bin/api. */
const config = parseConfig(process.env);
const deps = await createDeps(config, "plain");
const listener = getRequestListener(createPlainApp(deps).fetch);
const server = createServer((request, response) => void listener(request, response));
process.once("SIGTERM", () => {
  server.closeAllConnections();
  server.close(() => void deps.close().then(() => process.exit(0)));
});
server.listen(config.port, "127.0.0.1", () => process.stdout.write(`plain ready on ${String(config.port)}\n`));
