import type { Database } from "@/db/client";
import { currentPlace, markRestored, type Restored } from "@/db/restore/restored";
import { inTransaction } from "@/db/transaction";
import { listTenants } from "@/db/tenants";
import { audit } from "../actions/audit";

/**
 * Says that this database was brought back from a backup (docs/runbooks/restore.md). As the owner of its tables, with no process of ours at
 * work on it.
 *
 * @param holdHours for so long a key that may have been used before is not taken for a new one
 */
export async function afterRestore(db: Database, holdHours: number): Promise<Restored> {
  const actor = { kind: "system", id: "restored", name: "restored" } as const;
  const place = await currentPlace(db.pool);
  return inTransaction(db, async (tx) => {
    const restored = await markRestored(tx, { actor: actor.name, holdHours, place });
    const after = { holdUntil: restored.hold_until.toISOString() };
    let page = await listTenants(tx, undefined);
    while (page.length > 0) {
      for (const tenantId of page) {
        const subject = { type: "tenant", id: tenantId };
        await audit({ tenantId, actor, requestId: actor.id }, tx, { action: "database.restored", subject, after });
      }
      page = await listTenants(tx, undefined, page.at(-1));
    }
    return restored;
  });
}
