import type { Context, MiddlewareHandler } from "hono";
import { honoPeer } from "./hono-peer";
import { openPeerKeys } from "./peer-keys";
import type { Mount } from "./place";

interface KeptRecord {
  readonly status: string;
  readonly response?: unknown;
}

interface Options {
  readonly store: {
    get(key: string): Promise<KeptRecord | undefined>;
    lock(key: string, record: KeptRecord): Promise<boolean>;
    complete(key: string, response: unknown): Promise<void>;
    delete(key: string): Promise<void>;
    purge(): Promise<number>;
  };
  cacheKeyPrefix(c: Context): string;
}

export const mountHonoIdempotency: Mount = async (place) => {
  const { idempotency } = await place.load<{ readonly idempotency: (options: Options) => MiddlewareHandler }>(
    "src/hono-idempotency/index.ts",
  );
  const keys = await openPeerKeys(place.pool);
  const store: Options["store"] = {
    async get(key) {
      const kept = await keys.get(key);
      if (kept === undefined) return undefined;
      const record = JSON.parse(kept.record) as KeptRecord;
      return kept.answer === null ? record : { ...record, status: "completed", response: JSON.parse(kept.answer) };
    },
    lock: (key, record) => keys.insert(key, JSON.stringify(record)),
    complete: (key, response) => keys.answer(key, JSON.stringify(response)),
    delete: (key) => keys.remove(key),
    purge: () => Promise.resolve(0),
  };
  const cacheKeyPrefix = (c: Context): string => place.clientOf(c.req.header("authorization")) ?? "";
  return honoPeer(place, [idempotency({ store, cacheKeyPrefix })]);
};
