import type { Queryable } from "@/db/client";

/** Settled → EXPIRED where the window is over, in one batch. @param from where the caller's last walk ended. */
export async function expireRequests(
  db: Queryable,
  tenantId: string,
  limit: number,
  from: Date | undefined,
): Promise<number> {
  const { rows } = await db.query<{ expired: number }>({
    name: "expire_requests",
    text: "select onceboard.expire_requests($1,$2,coalesce($3::timestamptz,'-infinity')) as expired",
    values: [tenantId, limit, from],
  });
  return rows[0]?.expired ?? 0;
}
