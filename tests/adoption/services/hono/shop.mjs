import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { idempotent } from "onceboard/hono";
import { createOnceboard } from "onceboard/once";
import pg from "pg";
import { z } from "zod";

const { SHOP_DATABASE_URL, SECRET, ENCRYPTION_KEYS, SHOP_PORT = "8080" } = process.env;
const pool = new pg.Pool({ connectionString: SHOP_DATABASE_URL });
pool.on("error", () => {});

const onceboard = createOnceboard({
  pool,
  service: "shop",
  secret: SECRET,
  encryptionKeys: ENCRYPTION_KEYS,
  kinds: [{ name: "orders.place", label: "Order", route: "POST /orders" }],
});

const IN_STOCK = 100;
const INSERT = "insert into shop.orders (operation_id, item, quantity) values ($1, $2, $3)";
const place = async ({ command }, tx, { operationId }) => {
  const { item, quantity } = command;
  await tx.query(INSERT, [operationId, item, quantity]);
  if (quantity > IN_STOCK) throw new Error("not so many in stock");
  const order = { orderId: operationId, item, quantity };
  const aggregate = { type: "order", id: operationId };
  const placed = { topic: "orders", type: "order.placed", aggregate, data: order };
  return { status: 201, body: order, resource: aggregate, messages: [placed] };
};
const route = {
  operation: "orders.place",
  tenant: () => "acme",
  principal: (c) => c.req.header("x-client") ?? "till",
  schema: z.strictObject({ item: z.string(), quantity: z.int().default(1) }),
};

const app = new Hono();
app.post("/orders", idempotent(onceboard, route, place));
const server = serve({ fetch: app.fetch, port: Number(SHOP_PORT) });
process.once("SIGTERM", () => {
  server.close(async () => {
    await onceboard.close();
    await pool.end();
  });
  server.closeIdleConnections();
});
