import type { FilterParser } from "@/presentation/filters/search";
import type { Context, Handler, Hono } from "hono";
import type { z } from "zod";
import type { Action } from "@/domain/access/permission";
import type { ActionOrigin } from "@/engine/actions/action-answer";
import { requirePermission } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { readJson } from "../body/read-json";
import { validate } from "../body/validate";
import { declared, type RouteDeclaration } from "../declare";
import type { AdminEnv } from "../env";
import { requireKey } from "../guard/require-key";
import { jsonAnswer, type JsonResponse } from "../profiles/plain";
import { found, searchOf, understood } from "./read-input";

export type AdminCall = Context<AdminEnv>;
type Admin = Hono<AdminEnv>;

interface About extends Omit<RouteDeclaration, "answers" | "access" | "permission" | "keyed"> {
  readonly answers?: RouteDeclaration["answers"];
  /** What is missing when there is nothing: `<notFound>.not_found`. */
  readonly notFound?: string;
}

/** A GET whose handler returns what is answered as JSON, or the response itself; a person's may read from the read replica. @param permission asked before it runs */
export function read<Answer>(
  app: Admin,
  permission: Action,
  path: string,
  about: About,
  run: (ctx: EngineContext, c: AdminCall) => Promise<Answer>,
): void {
  const handler: Handler<AdminEnv> = async (c) => {
    const acting = permitted(c, permission);
    const ctx = { ...acting, db: c.get("pageDb") ?? acting.db };
    let answer = await run(ctx, c);
    // What the read replica does not have may be there all the same.
    if (answer === undefined && ctx.db.reads?.leave() === true) answer = await run(ctx, c);
    if (about.notFound !== undefined) found(answer, about.notFound);
    return answer instanceof Response ? answer : jsonAnswer(c, answer);
  };
  app.get(path, declared(declarationOf(permission, about), handler));
}

interface ListAbout<Filters extends object> extends About {
  readonly filters: FilterParser<Filters>;
}

interface Search<Filters> {
  readonly filters: Filters;
  readonly cursor?: string | undefined;
}

/** The same with filters; one that cannot be read is refused. */
export function list<Answer, Filters extends object>(
  app: Admin,
  permission: Action,
  path: string,
  about: ListAbout<Filters>,
  run: (ctx: EngineContext, search: Search<Filters>, c: AdminCall) => Promise<Answer>,
): void {
  read(app, permission, path, about, (ctx, c) => run(ctx, understood(about.filters(searchOf(c))), c));
}

/** What an action is requested with. */
export interface ActionCall {
  readonly c: AdminCall;
  readonly ctx: EngineContext;
  readonly action: Action;
  /** The key, and the reason in the body. @throws AppError `idempotency.key_missing` or `idempotency.key_invalid` 400 */
  readonly origin: ActionOrigin;
}

/** A POST. It needs an `Idempotency-Key`, unless `otherwise` says why none is needed. The body is validated before its handler runs. */
export function act<Body, Answer>(
  app: Admin,
  permission: Action,
  path: string,
  about: About & { readonly body: z.ZodType<Body> },
  run: (call: ActionCall, body: Body) => Promise<JsonResponse<Answer>>,
): void {
  const { bodyOptional: optional = false, body: schema, otherwise } = about;
  const handler: Handler<AdminEnv> = async (c) => {
    const ctx = permitted(c, permission);
    const body = validate(schema, await readJson(c.req.raw, { optional }));
    const call = {
      c,
      ctx,
      action: permission,
      get origin() {
        return { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: reasonIn(body) };
      },
    };
    return run(call, body);
  };
  app.post(path, declared({ ...declarationOf(permission, about), keyed: otherwise === undefined }, handler));
}

function permitted(c: AdminCall, permission: Action): EngineContext {
  const ctx = c.get("ctx");
  requirePermission(ctx, permission);
  return ctx;
}

function reasonIn(body: unknown): string | undefined {
  const { reason } = (body ?? {}) as { readonly reason?: unknown };
  return typeof reason === "string" ? reason : undefined;
}

function declarationOf(permission: Action, { notFound, errors = [], ...about }: About): RouteDeclaration {
  return {
    answers: { 200: { text: about.summary } },
    ...about,
    permission,
    errors: notFound === undefined ? errors : [`${notFound}.not_found`, ...errors],
  };
}
