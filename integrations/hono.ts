import type { Onceboard } from "./once/create-onceboard";
import { answerOnce, type IdempotentRoute, type RouteWork } from "./wire/idempotent-route";
import { fetchRequest, parsedBytes } from "./wire/received";

export type { IdempotentRequest, IdempotentRoute, RouteWork } from "./wire/idempotent-route";

/** What of Hono's context is used. */
interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> };
}

/**
 * Of Hono: `app.post("/orders", idempotent(onceboard, { operation, tenant, principal, schema }, work))`. A body that Hono's own
 * methods read before is taken from there.
 */
export function idempotent<Tx, Native extends HonoContext, Command extends object = Record<string, unknown>>(
  onceboard: Pick<Onceboard<Tx>, "decide">,
  route: IdempotentRoute<Native, Command>,
  work: RouteWork<Tx, Native, Command>,
): (c: Native) => Promise<Response> {
  return (c) => {
    const { raw } = c.req;
    const received = fetchRequest(c, raw);
    if (!raw.bodyUsed) return answerOnce(onceboard, route, work, received);
    const bytes = async (limit: number) => parsedBytes(Buffer.from(await c.req.arrayBuffer()), limit);
    return answerOnce(onceboard, route, work, { ...received, bytes });
  };
}
