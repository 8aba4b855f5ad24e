import type { MiddlewareHandler } from "hono";
import type pg from "pg";
import { honoPeer } from "./hono-peer";
import { until } from "../../../shared/until";
import type { Mount } from "./place";

type Store = Readonly<Record<"lookup" | "startProcessing" | "complete", unknown>>;

interface Options {
  readonly store: Store;
  readonly resilience: { readonly timeoutMs: number };
}

/** Its own limit of 500 ms for a call of the store opens its circuit on a busy machine, and everybody is told 503. */
const STORE_MS = 10_000;
/** Its constructor begins to make its tables, and tells nobody when they are there. */
const LAST_MADE = "select to_regclass('idx_expires_at') is not null as made";

/** Its own store and middleware, as its documentation mounts them. */
export const mountIdempot: Mount = async (place) => {
  const { PostgresIdempotencyStore } = await place.load<{
    readonly PostgresIdempotencyStore: new (options: { pool: pg.Pool }) => Store;
  }>("node_modules/@idempot/postgres-store/index.js");
  const { idempotency } = await place.load<{ readonly idempotency: (options: Options) => MiddlewareHandler }>(
    "node_modules/@idempot/hono-middleware/index.js",
  );
  const store = new PostgresIdempotencyStore({ pool: place.pool });
  await until("its tables", async () => (await place.pool.query<{ made: boolean }>(LAST_MADE)).rows[0]?.made === true);
  return honoPeer(place, [idempotency({ store, resilience: { timeoutMs: STORE_MS } })]);
};
