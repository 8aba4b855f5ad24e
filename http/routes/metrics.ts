import type { Hono } from "hono";
import type { ApiEnv } from "../env";
import type { Metrics } from "../metrics/metrics";
import { askedOf } from "../profiles/asked";
import { baseHeaders } from "../profiles/headers";

export function registerMetrics(app: Hono<ApiEnv>, metrics: Metrics): void {
  app.get("/api/metrics", async (c) => {
    const headers = { ...baseHeaders(askedOf(c)), "content-type": metrics.contentType };
    return new Response(await metrics.text(), { headers });
  });
}
