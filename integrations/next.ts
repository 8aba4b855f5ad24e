import type { Onceboard } from "./once/create-onceboard";
import { answerOnce, type IdempotentRoute, type RouteWork } from "./wire/idempotent-route";
import { fetchRequest } from "./wire/received";

export { createOnceboard } from "./once/create-onceboard";
export { UsageError } from "./usage-error";
export type { IdempotentRequest, IdempotentRoute, RouteWork } from "./wire/idempotent-route";

/** A request of a route handler with the parameters of its path. */
export interface NextCall<Params> {
  readonly request: Request;
  readonly params: Params;
}

type PathParameters = Readonly<Record<string, string | string[] | undefined>>;

/** Of Next's route handlers: `export const POST = idempotent(onceboard, { operation, tenant, principal, schema }, work)`. */
export function idempotent<
  Tx,
  Command extends object = Record<string, unknown>,
  Params extends PathParameters = PathParameters,
>(
  onceboard: Pick<Onceboard<Tx>, "decide">,
  route: IdempotentRoute<NextCall<Params>, Command>,
  work: RouteWork<Tx, NextCall<Params>, Command>,
): (request: Request, context: { readonly params: Promise<Params> }) => Promise<Response> {
  return async (request, { params }) =>
    answerOnce(onceboard, route, work, fetchRequest({ request, params: await params }, request));
}
