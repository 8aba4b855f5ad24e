import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

/**
 * What the framework takes for itself: it reads the body of a request and gives an answer of the size of a payment's, and looks at
 * nothing. The processor time of a replay is compared with its.
 */
const ANSWER = JSON.stringify({ paymentId: "0".repeat(36), status: "succeeded", filler: "x".repeat(200) });

const app = new Hono();
app.post("*", async (c) => {
  await c.req.arrayBuffer();
  return c.body(ANSWER, 201, { "content-type": "application/json" });
});
const port = Number(process.env["PORT"]);
const listener = getRequestListener(app.fetch);
const server = createServer((request, response) => void listener(request, response));
process.once("SIGTERM", () => {
  server.closeAllConnections();
  server.close(() => process.exit(0));
});
server.listen(port, "127.0.0.1", () => process.stdout.write(`bare ready on ${String(port)}\n`));
