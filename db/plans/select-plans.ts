import type { Queryable } from "@/db/client";
import { keyset, type PageRequest, type SortColumns } from "@/db/paging";
import { conditions, iso } from "@/db/sql-text";
import { PLAN_EXPIRES_DAYS, type PlanKindName, type PlanState } from "@/domain/plans/plan";
import type { PlanFilters } from "@/domain/lists/filters";

export interface PlanDbRow {
  readonly id: string;
  readonly kind: PlanKindName;
  readonly state: PlanState;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly total: number;
  /** Minor units as text, of what the dry run let act. */
  readonly amounts: readonly { readonly currency: string; readonly minor: string }[];
  readonly created_at: string;
  readonly created_by: string;
  readonly approval_needed: string | null;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly decision_reason: string | null;
  readonly started_at: string | null;
  readonly started_by: string | null;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
  readonly owner: string | null;
  readonly locked_until: string | null;
  readonly at: string;
}

export const PLAN_COLUMNS = `p.id, p.kind, p.state, p.filter, p.reason, p.total, p.amounts, ${iso("p.created_at")} as created_at, p.created_by, p.approval_needed,
  ${iso("p.decided_at")} as decided_at, p.decided_by, p.decision_reason, ${iso("p.started_at")} as started_at, p.started_by,
  ${iso("p.ended_at")} as ended_at, p.ended_by, p.owner, ${iso("p.locked_until")} as locked_until, ${iso("now()")} as at`;

export async function selectPlan(q: Queryable, tenantId: string, id: string): Promise<PlanDbRow | undefined> {
  const { rows } = await q.query<PlanDbRow>({
    text: `select ${PLAN_COLUMNS} from onceboard.plans p where p.tenant_id = $1 and p.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}

export const PLAN_SORT: SortColumns = { value: "p.created_at", type: "timestamptz", id: "p.id", idType: "uuid" };

/** Plans by when they were made, with how many of their rows ended how. */
export async function selectPlans(
  q: Queryable,
  tenantId: string,
  filters: PlanFilters,
  page: PageRequest,
): Promise<PlanDbRow[]> {
  const where = conditions();
  where.equal("p.tenant_id", tenantId);
  where.equal("p.kind", filters.kind);
  if (filters.state.length > 0) where.add(`p.state = any (${where.param(filters.state)})`);
  const tail = keyset(where, PLAN_SORT, page);
  const { rows } = await q.query<PlanDbRow>({
    text: `select ${PLAN_COLUMNS} from onceboard.plans p where ${where.text()}\n${tail}`,
    values: where.values,
  });
  return rows;
}

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
