import type { Context, Hono } from "hono";
import type { ApiEnv } from "../env";
import { incomingOf } from "@/http/guard/require-key";

/** Signing in and out; auth/ answers three endpoints and refuses the rest. */
export function registerAuth(app: Hono<ApiEnv>): void {
  app.all("/api/auth/*", (c) => c.get("deps").auth.handler(c.req.raw, addressOf(c), c.get("requestId")));
}

/** Of the socket only: a forwarded address is whatever its sender wrote. */
function addressOf(c: Context<ApiEnv>): string | undefined {
  return incomingOf(c)?.socket.remoteAddress;
}
