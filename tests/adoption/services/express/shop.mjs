import express from "express";
import { Kysely, PostgresDialect, sql } from "kysely";
import { idempotent } from "onceboard/express";
import { createOnceboard, kyselyTransactions } from "onceboard/once";
import pg from "pg";
import { z } from "zod";

const { SHOP_DATABASE_URL, SECRET, ENCRYPTION_KEYS, SHOP_PORT = "8080" } = process.env;
const pool = new pg.Pool({ connectionString: SHOP_DATABASE_URL });
pool.on("error", () => {});
pool.on("connect", (client) => client.on("error", () => {}));
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });

const onceboard = createOnceboard({
  pool,
  transactions: kyselyTransactions(db, sql),
  service: "shop",
  secret: SECRET,
  encryptionKeys: ENCRYPTION_KEYS,
  kinds: [{ name: "orders.place", label: "Order", route: "POST /orders" }],
});

const IN_STOCK = 100;
const place = async ({ command }, tx, { operationId }) => {
  const { item, quantity } = command;
  await tx.withSchema("shop").insertInto("orders").values({ operation_id: operationId, item, quantity }).execute();
  if (quantity > IN_STOCK) throw new Error("not so many in stock");
  const order = { orderId: operationId, item, quantity };
  const aggregate = { type: "order", id: operationId };
  const placed = { topic: "orders", type: "order.placed", aggregate, data: order };
  return { status: 201, body: order, resource: aggregate, messages: [placed] };
};
const route = {
  operation: "orders.place",
  tenant: () => "acme",
  principal: (request) => request.get("x-client") ?? "till",
  schema: z.strictObject({ item: z.string(), quantity: z.int().default(1) }),
};

const app = express();
app.post("/orders", idempotent(onceboard, route, place));
const server = app.listen(Number(SHOP_PORT));
process.once("SIGTERM", () => {
  server.close(async () => {
    await onceboard.close();
    await pool.end();
  });
  server.closeIdleConnections();
});
