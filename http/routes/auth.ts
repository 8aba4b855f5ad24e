import type { Hono } from "hono";
import type { ApiEnv } from "../env";
import { clientAddress } from "../guard/client-address";

/** Signing in and out; auth/ answers three endpoints and refuses the rest. */
export function registerAuth(app: Hono<ApiEnv>): void {
  app.all("/api/auth/*", (c) => c.get("deps").auth.handler(c.req.raw, clientAddress(c), c.get("requestId")));
}
