import type { Queryable } from "@/db/client";
import type { PlanState } from "@/domain/plan";
import { saidWord } from "./said-word";

/** ready → running. @returns `started`, or the state that it is in instead; undefined when there is none of this id */
export async function startPlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  actor: string,
): Promise<"started" | PlanState | undefined> {
  return saidWord(db, "start_plan", "select onceboard.start_plan($1,$2,$3) as said", [tenantId, id, actor]);
}
