import type { PlanKindName, PlanState } from "@/domain/plan";
import { iso } from "../sql-text";

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
