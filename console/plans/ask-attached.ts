import { becauseOf } from "@/console/attachments/look-at-address";
import { JUDGE_AGAIN_MS } from "@/console/attachments/limits";
import { unfinishedItems, type NewPlanItem } from "@/db/plans/create-plan";
import { selectPlan } from "@/db/plans/select-plans";
import { isAttachedKind, PURGE_ATTACHED_KIND } from "@/domain/plans/plan";
import { withTimeout } from "@/domain/with-timeout";
import type { EngineContext } from "@/engine/context";
import type { PlanTheirs } from "@/presentation/views/plans";
import { NO_PLAN } from "./kinds/attached-rows";
import { PLAN_REST_JUDGED } from "./plan-rest";
import { PLAN_REGISTRY } from "./plan-kinds";

const MS_PER_SECOND = 1_000;

/** What an attached database said of the rows of a plan that are left. */
export interface AskedAttached {
  /** Whether it was asked, or why not; nothing where no row is left. */
  readonly theirs: PlanTheirs | undefined;
  /** Each of them with its verdict now. */
  readonly judged: readonly NewPlanItem[] | undefined;
}

/**
 * Asks an attached database about the rows that a plan has left, before our own reads begin: what does not answer soon keeps no connection of
 * ours, and no page waits for it longer than JUDGE_AGAIN_MS.
 *
 * @param id of the plan, uuid
 * @returns nothing of a plan of another kind, and while it runs
 */
export async function askAttached(ctx: EngineContext, id: string): Promise<AskedAttached | undefined> {
  const { pool } = ctx.db;
  const plan = await selectPlan(pool, ctx.tenantId, id);
  if (plan === undefined || !isAttachedKind(plan.kind) || plan.state === "running") return undefined;
  const items = await unfinishedItems(pool, ctx.tenantId, plan.id, PLAN_REST_JUDGED);
  if (items.length === 0) return { theirs: undefined, judged: [] };
  // The function alone says what it would delete, and to ask it is to lock those rows.
  if (plan.kind === PURGE_ATTACHED_KIND) return { theirs: { asked: false }, judged: undefined };
  const ids = items.map(({ targetId }) => targetId);
  try {
    const asking = PLAN_REGISTRY[plan.kind].freeze(pool, ctx, { by: "ids", ids }, ids.length);
    const judged = await withTimeout(asking, JUDGE_AGAIN_MS, () => {
      throw new Error(`it did not answer within ${String(JUDGE_AGAIN_MS / MS_PER_SECOND)} s`);
    });
    return { theirs: { asked: true }, judged };
  } catch (error) {
    return { theirs: { asked: false, because: whyNotAsked(error) }, judged: undefined };
  }
}

/** What their database, or our way to it, says; a plan was not to be made here. */
const whyNotAsked = (error: unknown): string =>
  `${becauseOf(error)}.`
    .replace(NO_PLAN, "")
    .replace(/^./, (first) => first.toUpperCase())
    .trim();
