import type { Queryable } from "@/db/client";
import type { PlanState } from "@/domain/plan";
import { saidWord } from "./said-word";

export interface Decision {
  readonly approve: boolean;
  /** Also starts it. */
  readonly start: boolean;
  readonly actor: string;
  readonly reason: string | undefined;
}

/** @returns `own`: they asked for it themselves; a state: nothing waits for approval */
export async function decidePlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  { approve, start, actor, reason }: Decision,
): Promise<"decided" | "own" | PlanState | undefined> {
  const text = "select onceboard.decide_plan($1,$2,$3,$4,$5,$6) as said";
  return saidWord(db, "decide_plan", text, [tenantId, id, approve, start, actor, reason]);
}
