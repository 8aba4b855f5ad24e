import type { Handler, Hono } from "hono";
import type { z } from "zod";
import type { Action } from "@/domain/access/permission";
import type { RouteFact } from "@/domain/checks/checklist-facts";
import type { RouteMethod } from "@/engine/module/route";
import type { FilterParser } from "@/presentation/filters/search";
import type { ApiEnv } from "./env";

export interface RouteAnswer {
  readonly text: string;
  /** Of the body. None: the type that the handler answers with is the schema. */
  readonly schema?: z.ZodType;
  /** Media types; `application/json` by default. */
  readonly types?: readonly string[];
  /** Names of headers besides those that every answer has, see http/docs/responses.ts. */
  readonly headers?: readonly string[];
}

/** What a route is, besides its method and path, which the OpenAPI document takes from the app. */
export interface RouteDeclaration {
  /** operationId, also the anchor on the page of the API. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * What lets a caller in: scopes of which one suffices, a signature (or a key of scope events), or nothing, because the answer is
   * about no tenant. An admin route has a permission instead.
   */
  readonly access?: readonly string[] | "public" | "signature";
  /** Of an admin route: what it asks of a role before its handler runs; the verb behind it asks again. */
  readonly permission?: Action;
  /** Refuses a request without `Idempotency-Key` before anything is recorded. */
  readonly keyed?: boolean;
  /** Of a route that changes something without a key: why a second request is harmless. */
  readonly otherwise?: string;
  /** The schemas that the handler validates with. */
  readonly body?: z.ZodType;
  readonly bodyOptional?: boolean;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly filters?: FilterParser;
  /** Goes on where `cursor` says. */
  readonly paged?: boolean;
  readonly query?: Readonly<Record<string, z.ZodType>>;
  /** Success by status. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Codes beyond those of every call of its kind. */
  readonly errors?: readonly string[];
  /** Answers in the mesh's envelope, whatever profile the API key has. */
  readonly dress?: "mesh";
}

export type RouteName = `${RouteMethod} /${string}`;

/** By its key: Next loads this file once for its pages and once for its routes. */
const DECLARED = Symbol.for("onceboard.declared");

/** Registers a route with what the document says of it. @param route method and path as Hono writes them: `GET /api/v1/payments/:id` */
export function declare(
  app: Hono<ApiEnv>,
  route: RouteName,
  declaration: RouteDeclaration & Required<Pick<RouteDeclaration, "access">>,
  handler: Handler<ApiEnv>,
): void {
  const [method = "", path = ""] = route.split(" ");
  app.on(method, path, declared(declaration, handler));
}

/** @returns the handler itself, with its declaration. */
export function declared<H extends object>(declaration: RouteDeclaration, handler: H): H {
  return Object.defineProperty(handler, DECLARED, { value: declaration });
}

/** @returns what was declared of this handler. */
export function declarationOf(handler: object): RouteDeclaration | undefined {
  return (handler as { readonly [DECLARED]?: RouteDeclaration })[DECLARED];
}

/** Where the admin routes begin. */
export const ADMIN_PREFIX = "/api/v1/admin/";
const CHANGING = new Set(["POST", "PATCH", "DELETE"]);
const CHECKED_PREFIX = "/api/v1/";

/** @returns every route of the app that changes something, and whether it needs a key: the app's own table, not a list of ours. */
export function routeFacts(app: Pick<Hono<ApiEnv>, "routes">): readonly RouteFact[] {
  return app.routes
    .filter(({ method, path }) => CHANGING.has(method) && path.startsWith(CHECKED_PREFIX))
    .map(({ method, path, handler }) => {
      const { keyed = false, otherwise } = declarationOf(handler) ?? {};
      return { method, path: path.replace(/:(\w+)/g, "{$1}"), keyed, otherwise };
    });
}
