import type { Queryable } from "@/db/client";
import { PLAN_EXPIRES_DAYS, type PlanState } from "@/domain/plan";
import { saidWord } from "./said-word";

/**
 * ready → running.
 * @returns `started`; `expired`: it waited longer than PLAN_EXPIRES_DAYS; or the state that it is in instead; undefined when there is none of this id
 */
export async function startPlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
): Promise<"started" | "expired" | PlanState | undefined> {
  const text = "select onceboard.start_plan($1,$2,$3,$4) as said";
  return saidWord(db, "start_plan", text, [tenantId, id, actor, PLAN_EXPIRES_DAYS]);
}
