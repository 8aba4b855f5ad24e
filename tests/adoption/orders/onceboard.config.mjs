import { defineConfig, defineModule, jsonResponse, keyedRoute, outboxMessage, z } from "onceboard";

const order = z.strictObject({ item: z.string().min(1).max(100), quantity: z.int().min(1).max(1_000) });
const INSERT =
  "insert into orders.orders (tenant_id, id, item, quantity) values ($1, $2, $3, $4) on conflict do nothing";
const SETTLE = "update orders.orders set status = 'succeeded', provider_reference = $2 where id = $1 returning *";
const warehouse = (key, init) => fetch(`${process.env.WAREHOUSE_URL}/${key}`, init);
const reserved = async (answer) => ({ kind: "succeeded", reference: (await answer.json()).id });

const place = {
  name: "orders.place",
  path: "provider",
  apiVersion: "1",
  schemaVersion: "1",
  policy: {},
  provider: { name: "warehouse", dedupesForHours: 0, queryable: true },
  fields: ({ item, quantity }) => ({ item, quantity: String(quantity) }),
  describe: ({ item }) => ({ reference: item }),
  async prepare({ tenantId }, tx, { operationId }, call) {
    await tx.query({ text: INSERT, values: [tenantId, operationId, call.item, call.quantity] });
    return { kind: "ready", prepared: { providerKey: operationId, kind: "reserve" }, call };
  },
  send: (_ctx, key, call) =>
    warehouse(key, { method: "POST", body: JSON.stringify(call) })
      .then(reserved)
      .catch((error) => ({ kind: "indefinite", reason: error.message })),
  async lookUp(_ctx, _operationId, key) {
    const answer = await warehouse(key);
    return answer.status === 404 ? { kind: "absent" } : reserved(answer);
  },
  async settle(ctx, tx, { operationId }, { reference }) {
    const [{ id, item, quantity }] = (await tx.query({ text: SETTLE, values: [operationId, reference] })).rows;
    const data = { id, item, quantity };
    const resource = { type: "order", id };
    const placed = { type: "order.placed", topic: "orders", aggregate: resource, operationId, data };
    const messages = [outboxMessage(ctx, placed)];
    return { state: "COMPLETED", response: jsonResponse(201, data), resource, messages };
  },
  release: (_ctx, tx, id) => tx.query({ text: "delete from orders.orders where id = $1", values: [id] }),
};
const shipping = {
  name: "shipping",
  path: "transaction",
  subscribes: (_source, type) => type === "order.placed",
  async handle({ tenantId }, tx, { operationId }) {
    await tx.query({ text: "insert into orders.shipments values ($1, $2)", values: [tenantId, operationId] });
    return "shipped";
  },
};
const answers = { 201: { text: "The order", schema: order.extend({ id: z.uuid() }) } };
const route = { method: "POST", path: "/orders", id: "placeOrder", summary: "Place an order", scopes: ["orders"] };
const command = { operation: place, body: { schema: order }, command: (_ctx, body) => body, answers };
const expects = { effect: { kind: "order", label: "Order" }, event: "order.placed", entry: "none" };
const orders = defineModule({
  name: "orders",
  operations: [{ definition: place, label: "Order", route: "POST /orders", expects }],
  consumers: [shipping],
  routes: [keyedRoute({ ...route, ...command })],
  migrations: { directory: new URL("./migrations/", import.meta.url) },
  evidence: { effects: ["orders.effects"] },
});
export default defineConfig({ modules: [orders] });
