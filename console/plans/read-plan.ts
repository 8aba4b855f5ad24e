import type { Queryable } from "@/db/client";
import { type PlanDbRow, selectPlan } from "@/db/plans/select-plans";
import { PAGE_ROWS } from "@/db/paging";
import { actorNames } from "@/db/access/actor-names";
import {
  countChangedItems,
  countPlanAnswers,
  countPlanItems,
  countPlanOutlooks,
  PLAN_ITEM_SORT,
  selectPlanItems,
} from "@/db/plans/select-plan-items";
import { readWithin } from "@/db/bounded-read";
import { actionView } from "@/presentation/operation/allowed-actions";
import { UUID } from "@/domain/uuid";
import { PLAN_RULES, type PlanFacts, type PlanKindName, whyNotAgain, whyNotStep } from "@/domain/plans/plan";
import { whyNot } from "@/domain/access/permission";
import { againRows, willAct } from "@/presentation/plan/plan-advice";
import { unansweredRows } from "@/presentation/plan/plan-answers";
import { scopeChips } from "@/presentation/plan/plan-words";
import { OUTLOOKS } from "@/domain/messages/requeue-outlook";
import type { OutlookCounts } from "@/presentation/message/outlook";
import { only } from "@/db/query";
import { selectCanaries } from "@/db/plans/canaries";
import { CANARY_WAIT_MS } from "@/domain/plans/canary";
import type { PlanCanaryRow, PlanView } from "@/presentation/views/plans";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { scopeDrift } from "./scope-drift";
import { askingOf } from "./plan-answers";
import { notSecond, ownPlans } from "../second-person/own-plan";
import { askAttached } from "./ask-attached";
import { planRest } from "./plan-rest";
import { readCorrection } from "./read-correction";
import { actingOf, actorsOf, itemRow, planRow, verdictRows } from "./plan-rows";
import type { PlanItemFilters } from "@/domain/lists/filters";
import { cutPage, readCursor } from "@/domain/lists/cursor";

const SORT = "position";

/**
 * One plan: what it froze, the dry run's verdicts, how far it came, one page of its rows, and the steps that may be taken.
 * @returns undefined when there is none of this id
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readPlan(
  ctx: EngineContext,
  input: { readonly id: string; readonly filters: PlanItemFilters; readonly cursor?: string | undefined },
): Promise<PlanView | undefined> {
  requirePermission(ctx, "plans.read");
  const { id, filters } = input;
  if (!UUID.test(id)) return undefined;
  const cursor = readCursor(input.cursor, SORT, PLAN_ITEM_SORT);
  const asked = await askAttached(ctx, id);
  return readWithin(ctx.db, "detail", async (q) => {
    const plan = await selectPlan(q, ctx.tenantId, id);
    if (plan === undefined) return undefined;
    const counted = await countPlanItems(q, ctx.tenantId, [plan.id]);
    const page = { limit: PAGE_ROWS, direction: "asc", cursor } as const;
    const items = await selectPlanItems(q, ctx.tenantId, plan.id, filters, page);
    const names = await actorNames(q, ctx.tenantId, actorsOf([plan]));
    const row = planRow(plan, counted, names);
    const place = ({ position }: { readonly position: number }) => ({ value: String(position), id: String(position) });
    const cut = cutPage(items, PAGE_ROWS, cursor, SORT, place);
    const { rerunOf } = plan.filter;
    const rest = await planRest(q, ctx, plan, asked?.judged);
    const asking = plan.lookUps && askingOf(plan, await countPlanAnswers(q, ctx.tenantId, [plan.id]));
    const facts: PlanFacts = {
      kind: plan.kind,
      state: plan.state,
      waiting: willAct({ counts: row.counts, rest, asking }),
      again: againRows({ rest, total: row.total, counts: row.counts }),
      own: (await ownPlans(q, ctx, [plan])).get(plan.id),
      expired: row.expired,
      unanswered: unansweredRows(asking),
      asking: plan.lookUps === "asking",
    };
    return {
      ...row,
      at: plan.at,
      ...(plan.state === "awaiting_approval" && { notSecond: await notSecond(q, ctx, plan.createdBy) }),
      rerunOf: typeof rerunOf === "string" ? rerunOf : undefined,
      chips: scopeChips(plan.filter),
      drift: await scopeDrift(q, ctx, plan),
      owner: plan.owner,
      acting: actingOf(row),
      stillUnknown: row.results.unknown,
      verdicts: verdictRows(counted),
      ...(plan.kind === "requeue_dead_letters" && { outlooks: await outlooksOf(q, ctx.tenantId, plan.id) }),
      canary: plan.canary && { state: plan.canary, rows: await canaryRows(q, ctx.tenantId, plan) },
      changed: await countChangedItems(q, ctx.tenantId, plan.id),
      rest,
      theirs: asked?.theirs,
      asking,
      correction: await readCorrection(q, ctx, plan),
      items: { ...cut, rows: cut.rows.map(itemRow), at: plan.at },
      actions: actionsOf(ctx, plan.kind, facts),
    };
  });
}

async function outlooksOf(q: Queryable, tenantId: string, planId: string): Promise<OutlookCounts> {
  const rows = await countPlanOutlooks(q, tenantId, planId);
  return Object.fromEntries(
    OUTLOOKS.flatMap((outlook) => {
      const count = rows.find((row) => row.outlook === outlook)?.count;
      return count === undefined ? [] : [[outlook, count]];
    }),
  );
}

async function canaryRows(q: Queryable, tenantId: string, plan: PlanDbRow): Promise<readonly PlanCanaryRow[]> {
  if (plan.startedAt === undefined) return [];
  const rows = await selectCanaries(q, tenantId, plan.id, CANARY_WAIT_MS);
  return rows.map((row) => ({
    ...only(row, "side", "place", "placeName", "messageId", "type", "at", "answer", "detail", "answeredAt"),
    ...only(row, "attempts", "lastError", "paused"),
  }));
}

function actionsOf(ctx: EngineContext, kind: PlanKindName, facts: PlanFacts): PlanView["actions"] {
  const role = roleOf(ctx);
  return {
    start: actionView("start_plan", role, "plans.start", whyNotStep("start", facts)),
    decide: actionView("decide_plan", role, "plans.decide", whyNotStep("decide", facts)),
    abort: actionView("abort_plan", role, "plans.abort", whyNotStep("abort", facts)),
    ask: actionView("ask_plan", role, "plans.ask", whyNotStep("ask", facts)),
    rerun: actionView(
      "rerun_plan",
      role,
      "plans.create",
      whyNot(role, PLAN_RULES[kind].permission) ?? whyNotStep("rerun", facts) ?? whyNotAgain(kind),
    ),
  };
}
