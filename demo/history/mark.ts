import type { Queryable } from "@/db/client";
import type { AuditAction } from "@/domain/access/audit-action";

/** Of the audit entry that marks a seeded tenant. */
const SEED_MARK = "seed.fill" satisfies AuditAction;

/** What a seed says of itself in the audit. */
export interface SeedMark {
  readonly operations: number;
  /** Of a lean history, which is filled day by day: when it ends, and whether it is whole. */
  readonly lean?: { readonly until: string; readonly whole: boolean };
}

export async function markSeeded(tx: Queryable, tenant: string, mark: SeedMark): Promise<void> {
  await tx.query({
    text: `select onceboard.append_audit($1, gen_random_uuid(), 'system', 'seed', 'seed', '${SEED_MARK}', 'tenant', $1, 'seeded', null, $2, null, null)`,
    values: [tenant, JSON.stringify(mark)],
  });
}

interface MarkRow extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly after: SeedMark;
}

/**
 * @returns the tenant's newest mark; undefined: it has no seed
 * @throws Error in one sentence when there is none and the database has traffic that is no seed's
 */
export async function seedOf(
  tx: Queryable,
  { tenant, force }: { readonly tenant: string; readonly force: boolean },
): Promise<SeedMark | undefined> {
  const { rows } = await tx.query<MarkRow>({
    text: `select distinct on (a.tenant_id) a.tenant_id, a.after from onceboard.audit_entries a where a.action = '${SEED_MARK}'
      order by a.tenant_id, a.sequence desc`,
  });
  const own = rows.find((row) => row.tenant_id === tenant);
  if (own !== undefined) return own.after;
  const { rows: others } = await tx.query<{ real: boolean }>({
    text: "select exists (select 1 from onceboard.idempotency_requests r where r.tenant_id <> all ($1::text[])) as real",
    values: [rows.map((row) => row.tenant_id)],
  });
  if (others[0]?.real === true && !force)
    throw new Error("This database has traffic that was not seeded; --force seeds beside it.");
  return undefined;
}

/** @throws Error in one sentence when what is there is not what is asked for */
export function requireSame(mark: SeedMark, tenant: string, asked: { operations: number; lean: boolean }): void {
  const lean = mark.lean !== undefined;
  if (mark.operations === asked.operations && lean === asked.lean) return;
  throw new Error(
    `Tenant ${tenant} has a ${lean ? "lean " : ""}seed of ${String(mark.operations)} operations already.`,
  );
}
