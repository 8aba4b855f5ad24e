import type { Context, Next } from "hono";
import { currentTraceparent, goodTraceparent, inSpan, spansAreKept } from "@/engine/telemetry/telemetry";
import type { ApiEnv } from "../env";
import { methodOf, routeOf } from "../metrics/route-of";

/** Asked for every few seconds by machines: nobody looks for them in traces. */
const UNTRACED = /^\/api\/(?:health\/|metrics$)/;
const SERVER_ERROR = 500;

/**
 * Answers a request inside its span, which continues the caller's trace. The route stands in it and not the address: a path
 * names accounts, and a query may hold a key.
 */
export function traceRequest(c: Context<ApiEnv>, next: Next): Promise<void> {
  const parent = goodTraceparent(c.req.header("traceparent"));
  c.set("traceparent", parent);
  if (!spansAreKept() || UNTRACED.test(c.req.path)) return next();
  const method = methodOf(c);
  const facts = () => ({ "http.request.method": method, "url.scheme": new URL(c.req.url).protocol.slice(0, -1) });
  return inSpan(method, { kind: "server", facts, parent }, async (span) => {
    c.set("traceparent", currentTraceparent() ?? parent);
    await next();
    if (!span.recorded) return;
    const { status } = c.res;
    const route = routeOf(c);
    span.rename(`${method} ${route}`);
    span.set({ "http.route": route, "http.response.status_code": status, "onceboard.request_id": c.get("requestId") });
    if (status >= SERVER_ERROR) span.fail(String(status));
  });
}
