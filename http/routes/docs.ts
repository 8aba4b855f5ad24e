import type { Hono } from "hono";
import { z } from "zod";
import { declare } from "../declare";
import { docsPage, PAGE_POLICY } from "../docs/page";
import { errorRows } from "../docs/errors";
import type { ApiEnv, Container } from "../env";
import { docsBelow } from "../guard/base-path";
import { textAnswer } from "../profiles/plain";

/** The document and its page; both are the same for everybody, and made when the first one asks. */
export function registerDocs(app: Hono<ApiEnv>, deps: Container): void {
  let making: Promise<{ readonly document: string; readonly page: string }> | undefined;
  const made = () => (making ??= make(app, deps));
  const openapi = {
    id: "readOpenApi",
    summary: "This document",
    access: "public",
    answers: { 200: { text: "OpenAPI 3.1", schema: z.looseObject({ openapi: z.string() }) } },
  } as const;
  declare(app, "GET /api/v1/openapi.json", openapi, async (c) =>
    textAnswer(c, (await made()).document, { "content-type": "application/json" }),
  );
  const docs = {
    id: "readDocs",
    summary: "This document as a page",
    access: "public",
    answers: { 200: { text: "The page", types: ["text/html"], schema: z.string() } },
  } as const;
  declare(app, "GET /api/v1/docs", docs, async (c) => {
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": PAGE_POLICY };
    return textAnswer(c, (await made()).page, headers);
  });
}

async function make(app: Hono<ApiEnv>, { config, modules }: Container) {
  // Made of schemas and of the types of answers: a process that is never asked does not load what makes it.
  const { servedDocument } = await import("../docs/served");
  const { publicUrl, basePath, idempotencyTtlHours: ttlHours } = config;
  const document = await servedDocument({ app, moduleErrors: modules.errors, publicUrl, ttlHours });
  const page = docsPage(document, errorRows(modules.errors), { ttlHours, basePath });
  return { document: docsBelow(basePath, JSON.stringify(document)), page: docsBelow(basePath, page) };
}
