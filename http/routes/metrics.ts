import { createHash, timingSafeEqual } from "node:crypto";
import type { Hono } from "hono";
import { z } from "zod";
import type { Config } from "@/domain/config";
import { AppError } from "@/domain/errors";
import { declare } from "../declare";
import type { ApiEnv } from "../env";
import type { Metrics } from "../metrics/metrics";
import { textAnswer } from "../profiles/plain";

export function registerMetrics(app: Hono<ApiEnv>, metrics: Metrics): void {
  const declaration = {
    id: "readProcessMetrics",
    summary: "Metrics of this process, for Prometheus, who sends Authorization: Bearer METRICS_TOKEN",
    access: "public",
    answers: { 200: { text: "Text format of Prometheus", types: ["text/plain"], schema: z.string() } },
    errors: ["metrics.token", "metrics.closed"],
  } as const;
  declare(app, "GET /api/metrics", declaration, async (c) => {
    requireMetricsToken(c.get("deps").config, c.req.header("authorization"));
    return textAnswer(c, await metrics.text(), { "content-type": metrics.contentType });
  });
}

/**
 * Metrics are about all tenants at once, so they stand on the address of the API only for whoever knows METRICS_TOKEN.
 *
 * @throws AppError `metrics.token` 401, `metrics.closed` 403
 */
function requireMetricsToken({ metricsToken }: Pick<Config, "metricsToken">, header: string | undefined): void {
  if (metricsToken === undefined)
    throw new AppError("metrics.closed", 403, "The metrics are not shown here", {
      detail:
        "Set METRICS_TOKEN to show them here to whoever sends it, or METRICS_PORT to show them on a port of their own.",
    });
  if (!isMetricsToken(metricsToken, header))
    throw new AppError("metrics.token", 401, "The token of the metrics is needed", {
      detail: "Send Authorization: Bearer with the value of METRICS_TOKEN.",
    });
}

/** @returns whether the header carries the token; how long that takes says nothing of it */
export function isMetricsToken(token: string, header: string | undefined): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(`Bearer ${token}`), digest(header ?? ""));
}
