import type { Queryable } from "@/db/client";
import { PLAN_EXPIRES_DAYS, type PlanState } from "@/domain/plan";
import { saidWord } from "./said-word";

export interface Decision {
  readonly approve: boolean;
  /** Also starts it. */
  readonly start: boolean;
  readonly actor: string;
  readonly reason: string | undefined;
}

/**
 * @returns `own`: the same person asked for it, by themselves or with a key; `no_person`: a program decides nothing; `expired`: it waited
 * longer than PLAN_EXPIRES_DAYS; a state: nothing waits for approval
 */
export async function decidePlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  { approve, start, actor, reason }: Decision,
): Promise<"decided" | "own" | "no_person" | "expired" | PlanState | undefined> {
  const text = "select onceboard.decide_plan($1,$2,$3,$4,$5,$6,$7) as said";
  return saidWord(db, "decide_plan", text, [tenantId, id, approve, start, actor, reason, PLAN_EXPIRES_DAYS]);
}
