import { startPretendServer, type PretendServer } from "../pretend-server";
import { answerStripeControl } from "./control";
import { failure } from "./reply";
import { answerApi } from "./routes";
import { createState, newStripeId } from "./state";

export type StripeSandbox = PretendServer;

/**
 * Starts the pretend Stripe on 127.0.0.1: the part of API v1's wire format that the adapter uses.
 *
 * @param options.port 0 takes a free one @throws when the port is taken
 */
export async function startStripeSandbox(options: { readonly port: number }): Promise<StripeSandbox> {
  const state = createState();
  return startPretendServer(options.port, {
    answer: (...call) => answerApi(state, ...call),
    control: (route, _url, body) => answerStripeControl(state, route, body),
    refuse: (status, message) => failure(status === 413 ? 400 : status, "invalid_request_error", message),
    headers: () => ({ "request-id": newStripeId("req_") }),
  });
}
