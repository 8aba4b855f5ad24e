import { defineModule, jsonResponse, keyedRoute, outboxMessage, z, type LocalOperation } from "onceboard";

const placeOrder = z.strictObject({
  item: z.string().min(1).max(100),
  quantity: z.int().min(1).max(1_000),
});

/** Runs once per idempotency key: the order, its event and the answer are one transaction. */
const place: LocalOperation<z.output<typeof placeOrder>> = {
  name: "orders.place",
  path: "local",
  apiVersion: "1",
  schemaVersion: "1",
  policy: {},
  // Another value of any of these under the same key is a conflict.
  fields: ({ item, quantity }) => ({ item, quantity: String(quantity) }),
  describe: ({ item }) => ({ reference: item }),
  async run(ctx, tx, { operationId }, { item, quantity }) {
    await tx.query({
      text: "insert into orders.orders (tenant_id, id, item, quantity) values ($1, $2, $3, $4)",
      values: [ctx.tenantId, operationId, item, quantity],
    });
    const order = { id: operationId, item, quantity };
    const resource = { type: "order", id: operationId };
    const placed = { type: "order.placed", topic: "orders", aggregate: resource, operationId, data: order };
    return {
      state: "COMPLETED",
      response: jsonResponse(201, order),
      resource,
      messages: [outboxMessage(ctx, placed)],
    };
  },
};

export const orders = defineModule({
  name: "orders",
  operations: [
    {
      definition: place,
      label: "Order",
      route: "POST /orders",
      // What the proof of an operation looks for.
      expects: {
        once: "The order was placed once.",
        none: "No order was placed.",
        doubt: "It is not known yet whether the order was placed.",
        effect: { kind: "order", label: "Order" },
        event: "order.placed",
        entry: "none",
      },
    },
  ],
  routes: [
    keyedRoute({
      method: "POST",
      path: "/orders",
      id: "placeOrder",
      summary: "Place an order",
      scopes: ["orders"],
      operation: place,
      body: { schema: placeOrder },
      command: (_ctx, body) => body,
      answers: { 201: { text: "The order", schema: placeOrder.extend({ id: z.uuid() }) } },
    }),
  ],
  events: { "order.placed": {} },
  migrations: { directory: new URL("./migrations/", import.meta.url) },
  evidence: { effects: ["orders.effects"] },
});
