import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { PLAN_EXPIRES_DAYS, type PlanState, type SamePerson } from "@/domain/plans/plan";

export interface PlanDecisionInput {
  readonly approve: boolean;
  /** Also starts it. */
  readonly start: boolean;
  readonly actor: string;
  readonly reason: string | undefined;
  /** Days for which people who are tied count as one. */
  readonly tieDays: number;
}

/**
 * @returns `own`: the same person asked for it, by themselves or with a key; `tied`: somebody who counts as the same person did; `anybody`: it
 * was asked for with a key that names no holder; `no_person`: a program decides nothing; `expired`: it waited
 * longer than PLAN_EXPIRES_DAYS; a state: nothing waits for approval
 */
export async function decidePlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
  { approve, start, actor, reason, tieDays }: PlanDecisionInput,
): Promise<"decided" | SamePerson | "no_person" | "expired" | PlanState | undefined> {
  return callScalar(db, "decide_plan", [tenantId, id, approve, start, actor, reason, PLAN_EXPIRES_DAYS, tieDays]);
}

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
  return callScalar(db, "start_plan", [tenantId, id, actor, PLAN_EXPIRES_DAYS]);
}

/** ready → awaiting_approval. @param needed why, as whole sentences @returns false: it is not ready, expired, or a second person agreed to it */
export async function requirePlanApproval(
  db: Queryable,
  tenantId: string,
  id: string,
  needed: string,
): Promise<boolean> {
  return (await callScalar<boolean>(db, "require_plan_approval", [tenantId, id, needed, PLAN_EXPIRES_DAYS])) === true;
}

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
  return callScalar(db, "abort_plan", [tenantId, id, actor, days]);
}

/** Plans that nobody agreed to or started for so long that they expire, the oldest first. */
export async function expiredPlans(q: Queryable, tenantId: string, limit: number): Promise<string[]> {
  const { rows } = await q.query<{ id: string }>({
    name: "expired_plans",
    text: `select p.id from onceboard.plans p
           where p.tenant_id = $1 and p.created_at <= clock_timestamp() - make_interval(days => $2)
             and p.state in ('ready', 'awaiting_approval')
             and greatest(p.created_at, p.decided_at) <= clock_timestamp() - make_interval(days => $2)
           order by p.created_at limit $3`,
    values: [tenantId, PLAN_EXPIRES_DAYS, limit],
  });
  return rows.map(({ id }) => id);
}
