import { pathToFileURL } from "node:url";
import { defineModule, jsonResponse, keyedRoute, type LocalOperation } from "@/engine/index";
import { insertOrder, orderBody, orderView, type OrderCommand } from "./order";

/** What of it a database needs to know. */
export const ORDERS_TABLES = {
  name: "orders",
  migrations: { directory: pathToFileURL(`${import.meta.dirname}/migrations/`) },
};

const placeOrder: LocalOperation<OrderCommand> = {
  name: "orders.place",
  path: "local",
  apiVersion: "2026-01-01",
  schemaVersion: "1",
  policy: {},
  sharesTransaction: true,
  fields: ({ reference, item, quantity }) => ({ reference, item, quantity: String(quantity) }),
  describe: ({ reference }) => ({ reference }),
  async run(_ctx, tx, _claim, command) {
    return { state: "COMPLETED", response: jsonResponse(201, await insertOrder(tx, command)) };
  },
};

/** Orders of one row and no message, as a team would bring them to Onceboard. */
export const ordersModule = defineModule({
  ...ORDERS_TABLES,
  operations: [{ definition: placeOrder, label: "Order", route: "POST /orders" }],
  routes: [
    keyedRoute({
      method: "POST",
      path: "/orders",
      id: "placeOrder",
      summary: "Place an order",
      scopes: ["orders"],
      operation: placeOrder,
      body: { schema: orderBody },
      command: (_ctx, body) => body,
      answers: { 201: { text: "The order", schema: orderView } },
    }),
  ],
});
