import type { MiddlewareHandler } from "hono";
import { honoPeer } from "./hono-peer";
import { openPeerKeys } from "./peer-keys";
import type { Mount } from "./place";

interface KeptAnswer {
  readonly body?: unknown;
  readonly additional?: { readonly status?: 200 | 201 };
}

interface AskedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly method: string;
  readonly body: unknown;
}

interface Storage {
  setIfNotExists(key: string, value: string): Promise<boolean>;
  set(key: string, value: string): Promise<void>;
  get(key: string): Promise<string | undefined>;
}

interface Core {
  readonly Idempotency: new (storage: Storage) => {
    onRequest(request: AskedRequest): Promise<KeptAnswer | undefined>;
    onResponse(request: AskedRequest, answer: KeptAnswer): Promise<void>;
  };
  readonly IdempotencyError: new (...args: readonly never[]) => Error & { readonly code: string };
}

/** As its plugins do with it: asked before the handler, told after it, before the answer goes out. */
export const mountNodeIdempotency: Mount = async (place) => {
  const { Idempotency, IdempotencyError } = place.required<Core>("node_modules/@node-idempotency/core/dist/index.js");
  const keys = await openPeerKeys(place.pool);
  const idempotency = new Idempotency({
    setIfNotExists: (key, value) => keys.insert(key, value),
    set: (key, value) => keys.put(key, value),
    get: async (key) => (await keys.get(key))?.record,
  });
  const middleware: MiddlewareHandler = async (c, next) => {
    const { path, method } = c.req;
    const request = { headers: c.req.header(), path, method, body: (await c.req.json()) as unknown };
    try {
      const kept = await idempotency.onRequest(request);
      if (kept !== undefined) return c.json(kept.body, kept.additional?.status);
    } catch (error) {
      if (!(error instanceof IdempotencyError)) throw error;
      return c.json({ title: error.message }, error.code === "REQUEST_IN_PROGRESS" ? 409 : 422);
    }
    await next();
    const body = (await c.res.clone().json()) as unknown;
    await idempotency.onResponse(request, { body, additional: { status: c.res.status === 201 ? 201 : 200 } });
    return undefined;
  };
  return honoPeer(place, [middleware]);
};
