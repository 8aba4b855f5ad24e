import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { MAX_BODY_BYTES } from "@/http/body/read-bytes";
import type { Onceboard } from "./once/create-onceboard";
import { answerOnce, type IdempotentRoute, type RouteWork } from "./wire/idempotent-route";
import { nodeHeader, readStream, type ReceivedRequest } from "./wire/received";

export type { IdempotentRequest, IdempotentRoute, RouteWork } from "./wire/idempotent-route";

/** What of Fastify's request and reply is used. */
interface FastifyCall {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
}
interface FastifyAnswer {
  readonly sent: boolean;
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body?: Buffer): unknown;
}

/** Of Fastify's own parser, whose result is not used: our own says what is wrong, as the route's profile says it. */
const PARSER_ERRORS = "FST_ERR_CTP_";

/**
 * Options of a route of Fastify 5: `app.post("/orders", idempotent(onceboard, { operation, tenant, principal, schema }, work))`.
 */
export function idempotent<Tx, Native extends FastifyCall, Command extends object = Record<string, unknown>>(
  onceboard: Pick<Onceboard<Tx>, "decide">,
  route: IdempotentRoute<Native, Command>,
  work: RouteWork<Tx, Native, Command>,
) {
  const { maxBodyBytes = MAX_BODY_BYTES } = route;
  /** As they came: a parser keeps neither the order of members nor how a number was written. */
  const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();
  const handler = async (request: Native, reply: FastifyAnswer): Promise<unknown> => {
    const answer = await answerOnce(onceboard, route, work, receivedBy(request, reply, bodies));
    const bytes = Buffer.from(await answer.arrayBuffer());
    reply.code(answer.status);
    reply.headers(Object.fromEntries(answer.headers));
    return bytes.length === 0 ? reply.send() : reply.send(bytes);
  };
  return {
    handler,
    bodyLimit: maxBodyBytes,
    async preParsing({ raw }: Native, _reply: unknown, payload: Readable): Promise<Readable> {
      const body = readStream(payload, nodeHeader(raw, "content-length"), maxBodyBytes);
      bodies.set(raw, body);
      const bytes = await body.catch(() => Buffer.alloc(0));
      return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.length });
    },
    errorHandler(error: Error, request: Native, reply: FastifyAnswer): Promise<unknown> {
      if ("code" in error && String(error.code).startsWith(PARSER_ERRORS)) return handler(request, reply);
      throw error;
    },
  };
}

function receivedBy<Native extends FastifyCall>(
  native: Native,
  reply: FastifyAnswer,
  bodies: WeakMap<IncomingMessage, Promise<Buffer>>,
): ReceivedRequest<Native> {
  return {
    native,
    target: native.originalUrl,
    header: (name) => nodeHeader(native.raw, name),
    bytes: () => bodies.get(native.raw) ?? Promise.resolve(Buffer.alloc(0)),
    sent: () => reply.sent,
  };
}
