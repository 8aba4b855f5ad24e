import { createServer } from "node:http";
import { openPeerPlace, type Mount } from "./place";

/** The process of one peer: the same route, with the peer's idempotency around it. */
const MOUNTS: Readonly<Record<string, () => Promise<Mount>>> = {
  plain: async () => (await import("./plain")).mountPlain,
  idempot: async () => (await import("./idempot")).mountIdempot,
  "hono-idempotency": async () => (await import("./hono-idempotency")).mountHonoIdempotency,
  "node-idempotency": async () => (await import("./node-idempotency")).mountNodeIdempotency,
  "express-idempotency": async () => (await import("./express-idempotency")).mountExpressIdempotency,
  dbos: async () => (await import("./dbos")).mountDbosStep,
  "dbos-datasource": async () => (await import("./dbos")).mountDbosDataSource,
};

const { PEER: name = "", PORT: port = "" } = process.env;
const mount = MOUNTS[name];
if (mount === undefined) throw new Error(`there is no peer ${name}`);
const place = openPeerPlace(process.env);
const peer = await (await mount())(place);
const server = createServer((request, response) => peer.answer(request, response));
process.once("SIGTERM", () => {
  server.closeAllConnections();
  server.close(() => void stop());
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write(`peer ready on ${port}\n`));

async function stop(): Promise<void> {
  await peer.close?.();
  await place.pool.end();
  process.exit(0);
}
