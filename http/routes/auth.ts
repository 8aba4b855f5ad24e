import type { Hono, MiddlewareHandler } from "hono";
import type { ApiEnv } from "../env";
import { clientAddress } from "../guard/client-address";
import { noteAct } from "../guard/note-act";

/** Signing in and out; auth/ answers three endpoints and refuses the rest. */
export function registerAuth(app: Hono<ApiEnv>): void {
  app.use("/api/auth/*", notingActs);
  app.all("/api/auth/*", (c) => c.get("deps").auth.handler(c.req.raw, clientAddress(c), c.get("requestId")));
}

const notingActs: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  await noteAct(c);
};
