import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PAGE_POLICIES } from "@/domain/access/page-policies";
import { createHttpApp } from "@/http/app";
import type { Container } from "@/http/env";
import { declarationOf } from "@/http/declare";

type Json = Readonly<Record<string, unknown>>;

/** What can be asked for: an address with places for ids, names of its query, and the schema of its body. */
export interface ProbeTarget {
  readonly method: string;
  /** As Hono writes it: `/api/v1/admin/operations/:id`; a page has `[id]`. */
  readonly path: string;
  readonly query: readonly string[];
  readonly body: Json | undefined;
  readonly kind: "admin" | "call" | "page";
}

const DOCUMENT = join(import.meta.dirname, "../../docs/openapi.json");
/** Answers nobody in particular. */
const NOT_ASKED = /^\/api\/(?:health|metrics)|\/(?:docs|openapi\.json|proof-keys)$|\*$/;
const ADMIN = "/api/v1/admin/";

/** @returns every route of the app that asks who calls, from the app's own table */
export function routesOf(deps: Container): readonly ProbeTarget[] {
  const document = JSON.parse(readFileSync(DOCUMENT, "utf8")) as { readonly paths: Readonly<Record<string, Json>> };
  return createHttpApp(deps).routes.flatMap(({ method, path, handler }): ProbeTarget[] => {
    const declaration = declarationOf(handler);
    if (declaration === undefined || NOT_ASKED.test(path)) return [];
    const documented = document.paths[path.replace("/api/v1", "").replace(/:(\w+)/g, "{$1}")];
    const { parameters = [] } = (documented?.[method.toLowerCase()] ?? {}) as { readonly parameters?: readonly Json[] };
    return [
      {
        method,
        path,
        query: parameters.filter((one) => one["in"] === "query").map((one) => String(one["name"])),
        body: declaration.body && z.toJSONSchema(declaration.body, { io: "input", unrepresentable: "any" }),
        kind: path.startsWith(ADMIN) ? "admin" : "call",
      },
    ];
  });
}

/** Names of the query of pages that name one thing. */
const PAGE_QUERY = ["open", "q", "reference", "key", "client", "operationId", "conflict", "cursor", "page"];

/** @returns every page of the console */
export function pagesOf(): readonly ProbeTarget[] {
  return Object.keys(PAGE_POLICIES).map((path) => ({
    method: "GET",
    path,
    query: PAGE_QUERY,
    body: undefined,
    kind: "page",
  }));
}
