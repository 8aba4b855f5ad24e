import type { IncomingMessage, ServerResponse } from "node:http";
import type { Onceboard } from "./once/create-onceboard";
import { answerOnce, type IdempotentRoute, type RouteWork } from "./wire/idempotent-route";
import { nodeHeader, parsedBytes, readStream, type ReceivedRequest } from "./wire/received";

export type { IdempotentRequest, IdempotentRoute, RouteWork } from "./wire/idempotent-route";

/** What of Express's request is used. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl: string;
  readonly body?: unknown;
}

/**
 * Of Express 5: `app.post("/orders", idempotent(onceboard, { operation, tenant, principal, schema }, work))`. A body that
 * `express.json()` read before is taken from there.
 */
export function idempotent<Tx, Native extends ExpressRequest, Command extends object = Record<string, unknown>>(
  onceboard: Pick<Onceboard<Tx>, "decide">,
  route: IdempotentRoute<Native, Command>,
  work: RouteWork<Tx, Native, Command>,
): (request: Native, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    await send(response, await answerOnce(onceboard, route, work, receivedBy(request, response)));
  };
}

function receivedBy<Native extends ExpressRequest>(native: Native, response: ServerResponse): ReceivedRequest<Native> {
  const header = (name: string) => nodeHeader(native, name);
  return {
    native,
    target: native.originalUrl,
    header,
    bytes: (limit) =>
      native.readableEnded || native.body !== undefined
        ? Promise.resolve(parsedBytes(native.body, limit))
        : readStream(native, header("content-length"), limit),
    sent: () => response.headersSent,
  };
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.end(bytes);
}
