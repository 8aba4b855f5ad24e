import type { IncomingMessage } from "node:http";
import { startPretendServer, type Outcome, type PretendServer } from "../pretend-server";
import { answerStripeControl } from "./control";
import { invalid, type StripeReply } from "./reply";
import { answerApi } from "./routes";
import { createState, newId, type State } from "./state";

export type StripeSandbox = PretendServer;

const GARBAGE = '{"id":"pi_\u0000<html><title>502</title>';

/**
 * Starts the pretend Stripe on 127.0.0.1: the part of API v1's wire format that the adapter uses.
 *
 * @param options.port 0 takes a free one @throws when the port is taken
 */
export async function startStripeSandbox(options: { readonly port: number }): Promise<StripeSandbox> {
  const state = createState();
  return startPretendServer(options.port, (...call) => handle(state, ...call));
}

async function handle(state: State, request: IncomingMessage, url: URL, body: string | undefined): Promise<Outcome> {
  if (body === undefined) return written(invalid("The body is too large."));
  const method = request.method ?? "GET";
  const outcome = url.pathname.startsWith("/_control/")
    ? answerStripeControl(state, method, url.pathname, body)
    : await answerApi(state, {
        method,
        url,
        body,
        authorization: request.headers.authorization,
        idempotencyKey: headerOf(request, "idempotency-key"),
        contentType: request.headers["content-type"],
      });
  if (outcome === "reset" || outcome === "silence") return outcome;
  return outcome === "garbage" ? { status: 200, text: GARBAGE } : written(outcome);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function written({ status, headers, body }: StripeReply): Outcome {
  return { status, headers: { "request-id": newId("req_"), ...headers }, text: JSON.stringify(body) };
}
