import type { Queryable } from "@/db/client";
import type { PlanState } from "@/domain/plan";
import { saidWord } from "./said-word";

/**
 * @param days only a plan that nobody started or agreed to for so many days; undefined: whatever its age
 * @returns `stopped`, or the state that it is in instead
 */
export async function abortPlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
  days?: number,
): Promise<"stopped" | PlanState | undefined> {
  return saidWord(db, "abort_plan", "select onceboard.abort_plan($1,$2,$3,$4) as said", [tenantId, id, actor, days]);
}
