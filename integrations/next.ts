import type { Onceboard } from "./once/create-onceboard";
import { answerOnce, type IdempotentRoute, type RouteWork } from "./wire/idempotent-route";
import { fetchRequest } from "./wire/received";

export type { IdempotentRequest, IdempotentRoute, RouteWork } from "./wire/idempotent-route";

/** A request of a route handler with the parameters of its path. */
export interface RouteHandlerCall<Params> {
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
  route: IdempotentRoute<RouteHandlerCall<Params>, Command>,
  work: RouteWork<Tx, RouteHandlerCall<Params>, Command>,
): (request: Request, context: { readonly params: Promise<Params> }) => Promise<Response> {
  return async (request, { params }) =>
    answerOnce(onceboard, route, work, fetchRequest({ request, params: await params }, request));
}
