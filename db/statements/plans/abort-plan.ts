import type { Queryable } from "@/db/client";
import type { PlanState } from "@/domain/plan";
import { saidWord } from "./said-word";

/** @returns `stopped`, or the state that it had ended in */
export async function abortPlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
): Promise<"stopped" | PlanState | undefined> {
  return saidWord(db, "abort_plan", "select onceboard.abort_plan($1,$2,$3) as said", [tenantId, id, actor]);
}
