import { v7 as uuidv7 } from "uuid";
import { z, type Queryable } from "@/engine/index";

/** Where everybody takes orders. */
export const ORDERS_PATH = "/api/v1/orders";
export const ORDERS_TENANT = "bench";

/** Nothing in it is unique: only a key keeps a second row away. */
export const orderBody = z.strictObject({
  reference: z.string().min(1).max(100),
  item: z.string().min(1).max(100),
  quantity: z.int().min(1).max(1_000),
});
export type OrderCommand = z.infer<typeof orderBody>;

export const orderView = orderBody.extend({ orderId: z.uuid() });
export type OrderView = z.infer<typeof orderView>;

const INSERT = "insert into orders.orders (tenant_id, id, reference, item, quantity) values ($1, $2, $3, $4, $5)";

/** The effect that all of them make: one row. */
export async function insertOrder(db: Queryable, command: OrderCommand): Promise<OrderView> {
  const orderId = uuidv7();
  const { reference, item, quantity } = command;
  await db.query({ name: "insert_order", text: INSERT, values: [ORDERS_TENANT, orderId, reference, item, quantity] });
  return { orderId, reference, item, quantity };
}
