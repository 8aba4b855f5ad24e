import type { Queryable } from "@/db/client";
import type { ClaimedPlan } from "./claim-plan";
import { saidWord } from "./said-word";

/** Gives it back after a turn. @param restMs until the next turn of anybody */
export async function releasePlan(
  db: Queryable,
  tenantId: string,
  plan: Pick<ClaimedPlan, "id" | "fence">,
  restMs: number,
): Promise<"done" | "running" | "fenced" | undefined> {
  const text = "select onceboard.release_plan($1,$2,$3,$4) as said";
  return saidWord(db, "release_plan", text, [tenantId, plan.id, plan.fence, restMs]);
}
