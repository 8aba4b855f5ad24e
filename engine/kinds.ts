import type { Database } from "@/db/client";
import { registerKind, selectKinds } from "@/db/kinds/operation-kinds";
import type { OperationKind, OperationKinds } from "@/domain/operation-kind";
import { createReadCache } from "./read-cache";

/** A kind that another process or service registered is known here after this. */
export const KINDS_CACHE_MS = 5_000;
/** Of the one entry of the cache. */
const ALL = "all";

/** The kinds of operations that are registered in this database, and those of this process's own modules. */
export type KindSource = ReturnType<typeof createKindSource>;

export function createKindSource(db: Pick<Database, "pool">, own: readonly OperationKind[]) {
  const cache = createReadCache<OperationKinds>({ ttlMs: KINDS_CACHE_MS, maxEntries: 1 });
  let registered: Promise<void> | undefined;

  async function registerAll(): Promise<void> {
    for (const kind of own) await registerKind(db.pool, kind);
    cache.forget(ALL);
  }
  /** Once a process; a failure is tried again by who asks next. */
  function register(): Promise<void> {
    registered ??= registerAll().catch((error: unknown) => {
      registered = undefined;
      throw error;
    });
    return registered;
  }
  return {
    /**
     * Registers the kinds of this process's modules, once.
     * @throws DatabaseError 42710 when another owner registered one of the names
     */
    register,
    async all(): Promise<OperationKinds> {
      await register();
      return cache.get(ALL, async () => new Map((await selectKinds(db.pool)).map((kind) => [kind.name, kind])));
    },
  };
}
