import type { z } from "zod";
import type { EngineContext } from "../context";
import type { OperationDefinition } from "../execute/operation";

export const ROUTE_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** Parameters of a path, a query or headers, each with its schema. */
export type RouteFields = Readonly<Record<string, z.ZodType>>;
/** What a handler gets of them. */
export type Values<F extends RouteFields> = { readonly [Name in keyof F]: z.output<F[Name]> };

/** A body that becomes a command. */
export interface CommandBody<B> {
  /** Unknown members are refused by a strict schema, or left out of the command where the operation's policy says so. */
  readonly schema: z.ZodType<B>;
  /** Members that are amounts of money: as a number, whole minor units only. */
  readonly amounts?: readonly string[];
  /** Members that have a default. */
  readonly defaulted?: readonly string[];
}

/** What runs at most once per key: a body that becomes the command of an operation. */
export interface KeyedCommand<B, C, P extends RouteFields = RouteFields> {
  /** One of the module's operations. */
  readonly operation: OperationDefinition<C>;
  readonly body: CommandBody<B>;
  /**
   * Turns the validated body into the command.
   * @param params of the path
   * @throws AppError for what refers to nothing; nothing is recorded then
   */
  command(ctx: EngineContext, body: B, params: Values<P>): C | Promise<C>;
}

/** One success of a route, for the API document. */
export interface DocumentedAnswer {
  readonly text: string;
  /** Of the body; missing: the answer has none, as a 204. */
  readonly schema?: z.ZodType;
  /** Names of headers besides those that every answer has. */
  readonly headers?: readonly string[];
}

interface RouteBase<P extends RouteFields> {
  readonly method: RouteMethod;
  /** Below `/api/v1`, with its parameters in braces: `/payments/{id}/void`. */
  readonly path: `/${string}`;
  /** operationId of the API document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Scopes of API keys of which one suffices. */
  readonly scopes: readonly [string, ...string[]];
  /** Of every parameter in the path. */
  readonly params?: P;
  /** What a path is refused with, 404, whose parameters do not fit; `route.not_found` when left out. */
  readonly absent?: { readonly code: string; readonly title: string };
  /** Successes by status. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** Codes of errors besides those of every call of its kind. */
  readonly errors?: readonly string[];
}

/** A route that runs an operation under the caller's key. */
export interface KeyedRoute<B, C, P extends RouteFields = RouteFields> extends RouteBase<P>, KeyedCommand<B, C, P> {
  /** A request without a body is taken as well. */
  readonly bodyOptional?: boolean;
}

/** What a handler answers with, as data. */
export interface RouteResult {
  /** 200 when left out. */
  readonly status?: number;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A route without a key: it reads, or a second request does no harm. */
export interface PlainRoute<
  P extends RouteFields = RouteFields,
  Q extends RouteFields = RouteFields,
  H extends RouteFields = RouteFields,
  B extends z.ZodType = z.ZodType,
> extends RouteBase<P> {
  readonly query?: Q;
  /** By the names that the document shows: `If-Match`. */
  readonly headers?: H;
  readonly body?: B;
  /** Of a route that changes something: why a second request is harmless. */
  readonly otherwise?: string;
  /** @throws AppError for a refusal */
  handle(ctx: EngineContext, request: PlainRequest<P, Q, H, B>): Promise<RouteResult>;
}

export interface PlainRequest<
  P extends RouteFields,
  Q extends RouteFields,
  H extends RouteFields,
  B extends z.ZodType,
> {
  readonly params: Values<P>;
  readonly query: Values<Q>;
  readonly headers: Values<H>;
  readonly body: z.output<B>;
}

export type Route = KeyedRoute<unknown, unknown> | PlainRoute;

/** Types a keyed route by its parts: what its schemas give is what its command gets. */
export function keyedRoute<B, C, P extends RouteFields>(route: KeyedRoute<B, C, P>): Route {
  return route;
}

/** Types a route without a key by its schemas. */
export function plainRoute<P extends RouteFields, Q extends RouteFields, H extends RouteFields, B extends z.ZodType>(
  route: PlainRoute<P, Q, H, B>,
): Route {
  return route;
}

export function isKeyed(route: Route): route is KeyedRoute<unknown, unknown> {
  return "operation" in route;
}

/** One function of the mesh: an operation under another name than its route's. */
export interface MeshFunction<B = unknown, C = unknown> extends KeyedCommand<B, C> {
  /** `payments.charge` */
  readonly name: string;
  readonly version: string;
  /** Scopes of API keys of which one suffices. */
  readonly scopes: readonly [string, ...string[]];
  /** Names of arguments that the body has under another name. */
  readonly renames?: Readonly<Record<string, string>>;
}

/** Types a function of the mesh by its parts. */
export function meshFunction<B, C>(parts: MeshFunction<B, C>): MeshFunction {
  return parts;
}
