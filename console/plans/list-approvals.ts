import { actorNames } from "@/db/access/actor-names";
import { countPlanAnswers, countPlanItems } from "@/db/plans/select-plan-items";
import { selectOpenPlans } from "@/db/plans/plan-marks";
import { selectDecidedPlans, selectWaitingPlans } from "@/db/plans/select-plans";
import { readWithin } from "@/db/bounded-read";
import { actionView } from "@/presentation/operation/allowed-actions";
import { whyNotStep } from "@/domain/plans/plan";
import { scopeChips } from "@/presentation/plan/plan-words";
import type { ApprovalsView } from "@/presentation/views/plans";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { askingOf } from "./plan-answers";
import { notSecond, ownPlans } from "../second-person/own-plan";
import { planRest } from "./plan-rest";
import { readCorrection } from "./read-correction";
import { actingOf, actorsOf, planRow, verdictRows } from "./plan-rows";
import { scopeDrift } from "./scope-drift";

/** Of which the page says how far filter and rows drifted; the others say it on their own page. */
const DRIFT_READ = 5;

/** Plans that wait for a second person, oldest first, and the latest decisions. @throws AppError `auth.forbidden` 403 */
export async function listApprovals(ctx: EngineContext): Promise<ApprovalsView> {
  requirePermission(ctx, "approvals.read");
  const role = roleOf(ctx);
  return readWithin(ctx.db, "detail", async (q) => {
    const waiting = await selectWaitingPlans(q, ctx.tenantId);
    const decided = await selectDecidedPlans(q, ctx.tenantId);
    const { approvals } = await selectOpenPlans(q, ctx.tenantId);
    const all = [...waiting, ...decided];
    const counted = await countPlanItems(
      q,
      ctx.tenantId,
      all.map(({ id }) => id),
    );
    const names = await actorNames(q, ctx.tenantId, actorsOf(all));
    const waitingIds = waiting.map(({ id }) => id);
    const owns = await ownPlans(q, ctx, waiting);
    const answers = await countPlanAnswers(q, ctx.tenantId, waitingIds);
    const rows: ApprovalsView["waiting"][number][] = [];
    for (const [index, plan] of waiting.entries()) {
      const row = planRow(plan, counted, names);
      const mine = counted.filter((each) => each.planId === plan.id);
      const own = owns.get(plan.id);
      const facts = { state: plan.state, waiting: row.counts.waiting, again: 0, own } as const;
      rows.push({
        ...row,
        chips: scopeChips(plan.filter),
        verdicts: verdictRows(mine),
        acting: actingOf(row),
        drift: index < DRIFT_READ ? await scopeDrift(q, ctx, plan) : undefined,
        rest: await planRest(q, ctx, plan),
        asking: askingOf(plan, answers),
        correction: await readCorrection(q, ctx, plan),
        notSecond: await notSecond(q, ctx, plan.createdBy),
        own: own?.by === "self" || own?.by === "key",
        decide: actionView("decide_plan", role, "plans.decide", whyNotStep("decide", facts)),
      });
    }
    return {
      waiting: rows,
      // Those that are counted are the newest plans; what is shown waits, however old it is.
      count: Math.max(approvals, waiting.length),
      decided: decided.map((plan) => planRow(plan, counted, names)),
      at: all[0]?.at ?? new Date().toISOString(),
    };
  });
}
