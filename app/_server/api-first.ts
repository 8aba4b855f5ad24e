import "server-only";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { answerRequests } from "@/http/guard/answer-requests";
import { sharedApi } from "./shared-api";

/** Node tells of every request here, before its server does. */
const REQUEST_STARTED = "http.server.request.start";
const BASE_PATH = process.env["NEXT_PUBLIC_BASE_PATH"] ?? "";

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Where Next itself was started (`next start`), its server answers `/api/*` with the handlers before Next sees the request, as
 * `npm run serve` does: the way through Next takes several times as long as an answer. Next tells nobody of its server, so it is
 * met at its first request. The first request of the API goes through Next.
 */
export function answerApiFirst(): void {
  const meet = (message: unknown): void => {
    const { server } = message as { readonly server: Server };
    // A server of anything else that runs in this process is left alone.
    if (portOf(server) !== process.env["PORT"]) return;
    unsubscribe(REQUEST_STARTED, meet);
    takeOver(server);
  };
  subscribe(REQUEST_STARTED, meet);
}

function portOf(server: Server): string | undefined {
  const address = server.address();
  return typeof address === "object" && address !== null ? String(address.port) : undefined;
}

function takeOver(server: Server): void {
  const listeners = server.listeners("request") as Listener[];
  const next: Listener = (request, response) => listeners.map((answer) => answer(request, response));
  let known: Listener | undefined;
  const api: Listener = (request, response) => {
    const shared = sharedApi();
    // The first request makes the app, in the bundle of its route: a second copy of all of it would be as large.
    if (shared === undefined) return next(request, response);
    // Next compares with the platform's own Request and Response, so they are left as they are.
    known ??= getRequestListener((asked, env) => shared.fetch(asked, env), { overrideGlobalObjects: false });
    return known(request, response);
  };
  server.removeAllListeners("request");
  server.on("request", answerRequests({ basePath: BASE_PATH, api, pages: next }));
}
