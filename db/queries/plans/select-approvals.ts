import type { Queryable } from "@/db/client";
import { PLAN_EXPIRES_DAYS } from "@/domain/plan";
import { PLAN_COLUMNS, type PlanDbRow } from "./plan-row";

/** Waiting plans that the page shows, and how many decisions it looks back. */
const WAITING = 20;
const DECIDED = 20;
/** Newest plans that are looked at for decisions. */
const LOOKED = 1_000;

/** Plans that wait for a second person, who waits longest first. One that waited too long waits no more: it expires. */
export async function selectWaitingPlans(q: Queryable, tenantId: string): Promise<PlanDbRow[]> {
  const { rows } = await q.query<PlanDbRow>({
    text: `select ${PLAN_COLUMNS} from (select * from onceboard.plans where tenant_id = $1 order by created_at desc limit ${String(LOOKED)}) p
           where p.state = 'awaiting_approval' and p.created_at > now() - make_interval(days => ${String(PLAN_EXPIRES_DAYS)}) order by p.created_at, p.id limit ${String(WAITING)}`,
    values: [tenantId],
  });
  return rows;
}

/** The latest decisions, newest first. */
export async function selectDecidedPlans(q: Queryable, tenantId: string): Promise<PlanDbRow[]> {
  const { rows } = await q.query<PlanDbRow>({
    text: `select ${PLAN_COLUMNS} from (select * from onceboard.plans where tenant_id = $1 order by created_at desc limit ${String(LOOKED)}) p
           where p.decided_at is not null order by p.decided_at desc, p.id limit ${String(DECIDED)}`,
    values: [tenantId],
  });
  return rows;
}
