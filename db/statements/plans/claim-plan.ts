import type { Queryable } from "@/db/client";
import type { PlanKindName } from "@/domain/plan";

export interface ClaimedPlan {
  readonly id: string;
  readonly kind: PlanKindName;
  readonly reason: string;
  readonly started_by: string | null;
  readonly fence: number;
}

/** Takes a running plan of the tenant that nobody holds. @param leaseMs until another one may take it over */
export async function claimPlan(
  db: Queryable,
  tenantId: string,
  owner: string,
  leaseMs: number,
): Promise<ClaimedPlan | undefined> {
  const { rows } = await db.query<ClaimedPlan>({
    name: "claim_plan",
    text: "select id, kind, reason, started_by, fence from onceboard.claim_plan($1,$2,$3)",
    values: [tenantId, owner, leaseMs],
  });
  return rows[0];
}
