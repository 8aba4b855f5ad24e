import type { Hono } from "hono";
import type { ApiEnv, HttpDeps } from "../env";
import { openApiDocument } from "../docs/document";
import { docsPage, PAGE_POLICY } from "../docs/page";
import { askedOf } from "../profiles/asked";
import { baseHeaders } from "../profiles/headers";

/** The document and its page; both are the same for everybody and are made once. */
export function registerDocs(app: Hono<ApiEnv>, deps: HttpDeps): void {
  const { publicUrl, idempotencyTtlHours: ttlHours } = deps.config;
  const document = JSON.stringify(openApiDocument({ publicUrl, ttlHours }));
  const page = docsPage(ttlHours);
  app.get("/api/v1/openapi.json", (c) => {
    return new Response(document, { headers: { ...baseHeaders(askedOf(c)), "content-type": "application/json" } });
  });
  app.get("/api/v1/docs", (c) => {
    const headers = {
      ...baseHeaders(askedOf(c)),
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
    };
    return new Response(page, { headers });
  });
}
