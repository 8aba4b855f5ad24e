import type { Queryable } from "@/db/client";

/** An instant as PostgreSQL writes it, to the microsecond, or one of its infinities. */
export type Instant = string;

/** Keys whose window ended after `from` until `to`. */
export interface KeyStretch {
  readonly from: Instant;
  readonly to: Instant;
}

export const FIRST_INSTANT: Instant = "-infinity";
export const EVERY_KEY: KeyStretch = { from: FIRST_INSTANT, to: "infinity" };

/** @returns where the stretch of so many keys after `from` ends; undefined: fewer are left whose window is over */
export async function stretchEnd(
  db: Queryable,
  tenantId: string,
  from: Instant,
  keys: number,
): Promise<Instant | undefined> {
  const { rows } = await db.query<{ at: Instant }>({
    name: "retention_stretch",
    text: `select r.expires_at::text as at from onceboard.idempotency_requests r
           where r.tenant_id = $1 and r.expires_at > $2::timestamptz and r.expires_at <= clock_timestamp()
           order by r.expires_at offset $3 limit 1`,
    values: [tenantId, from, keys - 1],
  });
  return rows[0]?.at;
}
