import type { Hono } from "hono";
import { z } from "zod";
import { declare } from "../declare";
import type { ApiEnv } from "../env";
import type { Metrics } from "../metrics/metrics";
import { requestMetaOf } from "../profiles/request-meta";
import { baseHeaders } from "../profiles/headers";

export function registerMetrics(app: Hono<ApiEnv>, metrics: Metrics): void {
  const declaration = {
    id: "readProcessMetrics",
    summary: "Metrics of this process, for Prometheus",
    answers: { 200: { text: "Text format of Prometheus", types: ["text/plain"], schema: z.string() } },
  };
  declare(app, "GET /api/metrics", declaration, async (c) => {
    const headers = { ...baseHeaders(requestMetaOf(c)), "content-type": metrics.contentType };
    return new Response(await metrics.text(), { headers });
  });
}
