import { getRequestListener } from "@hono/node-server";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { insertOrder, orderBody, ORDERS_PATH, type OrderCommand, type OrderView } from "../orders/order";
import type { MountedPeer, PeerPlace } from "./place";

/** How an order is made for a request; plain: by its row alone. */
export type PlaceOrder = (command: OrderCommand, c: Context) => Promise<OrderView>;

/** The route that all peers on Hono share: who calls, the peer's middleware, the body, the row. */
export function honoPeer(
  { clientOf, pool }: PeerPlace,
  middleware: readonly MiddlewareHandler[],
  place: PlaceOrder = (command) => insertOrder(pool, command),
): MountedPeer {
  const app = new Hono();
  app.use(async (c, next) => {
    if (clientOf(c.req.header("authorization")) === undefined) return c.json({ title: "An API key is needed" }, 401);
    return next();
  });
  for (const one of middleware) app.use(one);
  app.post(ORDERS_PATH, async (c) => {
    const command = orderBody.safeParse(await c.req.json());
    if (!command.success) return c.json({ title: command.error.message }, 422);
    return c.json(await place(command.data, c), 201);
  });
  app.onError((error, c) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    return c.json({ title: error.message }, 500);
  });
  const listener = getRequestListener(app.fetch);
  return { answer: (request, response) => void listener(request, response) };
}
