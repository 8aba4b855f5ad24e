import type { Hono } from "hono";
import type { RouteFact } from "@/domain/checks/checklist-facts";
import type { ApiEnv } from "../env";

/**
 * On the handlers that refuse a request without its key; a test sends each of their routes one. On the handler itself and of the whole
 * process: Next loads this file once for its pages and once for its routes, and the app of one is read by the other.
 */
const KEYED = Symbol.for("onceboard.needs-key");

/** Said by whoever makes a handler that calls `requireKey` before anything is recorded. @returns the handler itself */
export function needsKey<H extends object>(handler: H): H {
  return Object.defineProperty(handler, KEYED, { value: true });
}

const CHANGING = new Set(["POST", "PATCH", "DELETE"]);
const PREFIX = "/api/v1/";
/** Where a second request is harmless by something else than the header. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "/api/v1/events/{source}": "the message id is the key, the inbox dedupes by it",
  "/api/v1/mesh": "the key is in the envelope",
  "/api/v1/admin/step-up": "it renews the caller's own proof, again is the same",
  "/api/v1/admin/two-factor/start": "nothing is on before its code is confirmed, the last start counts",
  "/api/v1/admin/two-factor/confirm": "a second factor that is on stays on",
  "/api/v1/admin/two-factor/stop": "one that is off is refused",
};

/** @returns every route of the app that changes something, and whether it needs a key: the app's own table, not a list of ours. */
export function routeFacts(app: Pick<Hono<ApiEnv>, "routes">): readonly RouteFact[] {
  return app.routes
    .filter(({ method, path }) => CHANGING.has(method) && path.startsWith(PREFIX))
    .map(({ method, path, handler }) => {
      const named = path.replace(/:(\w+)/g, "{$1}");
      return { method, path: named, keyed: KEYED in handler, otherwise: OTHERWISE[named] };
    });
}
