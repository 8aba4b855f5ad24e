import type { Hono } from "hono";
import { z } from "zod";
import { declare } from "../declare";
import type { ApiEnv } from "../env";
import type { Metrics } from "../metrics/metrics";
import { textAnswer } from "../profiles/plain";

export function registerMetrics(app: Hono<ApiEnv>, metrics: Metrics): void {
  const declaration = {
    id: "readProcessMetrics",
    summary: "Metrics of this process, for Prometheus",
    access: "public",
    answers: { 200: { text: "Text format of Prometheus", types: ["text/plain"], schema: z.string() } },
  } as const;
  declare(app, "GET /api/metrics", declaration, async (c) =>
    textAnswer(c, await metrics.text(), { "content-type": metrics.contentType }),
  );
}
