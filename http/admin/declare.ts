import type { FilterParser } from "@/presentation/filters/search";
import type { Context, Handler, Hono } from "hono";
import type { z } from "zod";
import { readJson } from "../body/read-json";
import { validate } from "../body/validate";
import { declared, type RouteDeclaration } from "../declare";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { jsonAnswer, type JsonResponse } from "../profiles/plain";
import { found, searchOf, understood } from "./read-input";

export type AdminCall = Context<AdminEnv>;
type Admin = Hono<AdminEnv>;

interface About extends Omit<RouteDeclaration, "answers">, Partial<Pick<RouteDeclaration, "answers">> {
  /** What is missing when there is nothing: `<notFound>.not_found`. */
  readonly notFound?: string;
}

interface ListAbout<Filters extends object> extends About {
  readonly filters: FilterParser<Filters>;
}

/** A GET whose handler returns what is answered as JSON, or the response itself. */
export function read<Answer>(app: Admin, path: string, about: About, run: (c: AdminCall) => Promise<Answer>): void {
  const handler: Handler<AdminEnv> = async (c) => {
    const answer = foundOf(about, await run(c));
    return answer instanceof Response ? answer : jsonAnswer(c, answer);
  };
  app.get(path, declared(declarationOf(about), handler));
}

/** The same with filters, of which one that is not understood is refused. */
export function list<Answer, Filters extends object>(
  app: Admin,
  path: string,
  about: ListAbout<Filters>,
  run: (c: AdminCall, search: { readonly filters: Filters; readonly cursor?: string | undefined }) => Promise<Answer>,
): void {
  read(app, path, about, (c) => run(c, understood(about.filters(searchOf(c)))));
}

interface ActAbout<Body> extends About {
  readonly body: z.ZodType<Body>;
  /** Refuses a request without `Idempotency-Key`; true by default. */
  readonly keyed?: boolean;
}

/** A POST. The guard asked for the permission already; the body is validated before the handler reads id and key. */
export function act<Body, Answer>(
  app: Admin,
  path: string,
  about: ActAbout<Body>,
  run: (c: AdminCall, body: Body) => Promise<JsonResponse<Answer>>,
): void {
  const { bodyOptional: optional = false, body } = about;
  const handler: Handler<AdminEnv> = async (c) => run(c, validate(body, await readJson(c.req.raw, { optional })));
  app.post(path, declared(declarationOf(about), about.keyed === false ? handler : needsKey(handler)));
}

function declarationOf({ notFound, errors = [], ...about }: About): RouteDeclaration {
  return {
    answers: { 200: { text: about.summary } },
    ...about,
    errors: notFound === undefined ? errors : [`${notFound}.not_found`, ...errors],
  };
}

function foundOf<Answer>({ notFound }: About, answer: Answer): Answer {
  return notFound === undefined ? answer : found(answer, notFound);
}
