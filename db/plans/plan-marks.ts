import type { Queryable } from "@/db/client";
import { NAV_COUNTED } from "@/domain/lists/nav-counted";
import { PLAN_EXPIRES_DAYS } from "@/domain/plans/plan";

/** Changes whenever something of a plan changed. */
export async function selectPlanMark(q: Queryable, tenantId: string, id: string): Promise<string | undefined> {
  const { rows } = await q.query<{ mark: string }>({
    text: `select p.state || ':' || (select count(*) from onceboard.plan_items i
             where i.tenant_id = $1 and i.plan_id = $2 and i.state = 'waiting') || ':' || coalesce(p.look_ups, '') || ':' || coalesce(p.canary, '') || ':' ||
             (select count(*) from onceboard.plan_items i
             where i.tenant_id = $1 and i.plan_id = $2 and i.look_up = 'waiting') as mark
           from onceboard.plans p where p.tenant_id = $1 and p.id = $2`,
    values: [tenantId, id],
  });
  return rows[0]?.mark;
}

export interface OpenPlans {
  readonly open: number;
  readonly running: number;
  /** Wait for a second person. */
  readonly approvals: number;
  readonly mark?: string | undefined;
}

/** Plans that have not ended, and a mark that changes when one of the newest does. */
export async function selectOpenPlans(q: Queryable, tenantId: string): Promise<OpenPlans> {
  const { rows } = await q.query<OpenPlans>({
    text: `select count(*) filter (where state in ('ready', 'awaiting_approval', 'running'))::int as open,
             count(*) filter (where state = 'running')::int as running,
             count(*) filter (where state = 'awaiting_approval' and created_at > now() - make_interval(days => ${String(PLAN_EXPIRES_DAYS)}))::int as approvals,
             max(greatest(created_at, decided_at, started_at, ended_at))::text as mark
           from (select * from onceboard.plans where tenant_id = $1 order by created_at desc limit ${String(NAV_COUNTED)}) p`,
    values: [tenantId],
  });
  return rows[0] ?? { open: 0, running: 0, approvals: 0 };
}
