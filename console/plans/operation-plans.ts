import type { Queryable } from "@/db/client";
import { operationPlanFacts, type OperationPlanRow } from "@/db/plans/operation-plan-facts";
import { selectOperations } from "@/db/operations/select-operations";
import type { NewPlanItem } from "@/db/plans/create-plan";
import { filtersOfScope } from "@/presentation/filters/plan-scope";
import {
  judgePurge,
  judgeReconcile,
  judgeRelease,
  type PlanOperationFacts,
  type OperationJudged,
} from "@/presentation/plan/operation-verdict";
import { kindOf, type OperationKind, type OperationKinds } from "@/domain/operation-kind";
import { bodyRetention } from "@/engine/bodies/body-retention";
import type { EngineContext } from "@/engine/context";
import type { FrozenScope } from "./plan-kind";

export type OperationJudge = (facts: PlanOperationFacts | undefined) => OperationJudged;
export const JUDGES = { reconcile: judgeReconcile, release: judgeRelease, purge: judgePurge } as const;

/** Operations of a filter or by id, judged. @returns at most `limit` */
export async function freezeOperations(
  q: Queryable,
  ctx: EngineContext,
  judge: OperationJudge,
  scope: FrozenScope,
  limit: number,
): Promise<readonly NewPlanItem[]> {
  const ids = await operationIds(q, ctx, scope, limit);
  const judged = await judgedBy(ctx);
  return (await operationPlanFacts(q, ctx.tenantId, ids)).map((row) => {
    const facts = planFactsOf(row, judged);
    return frozen(row, facts.about, judge(facts));
  });
}

/** Which operations a scope names. @param now the filter as it would match now, its frozen end left out */
export async function operationIds(
  q: Queryable,
  ctx: EngineContext,
  scope: FrozenScope,
  limit: number,
  now = false,
): Promise<readonly string[]> {
  if (scope.by === "ids") return scope.ids.slice(0, limit);
  if (scope.by !== "operations") return [];
  const filters = filtersOfScope(scope.filter, now);
  const page = { limit: limit - 1, direction: "desc", cursor: undefined } as const;
  return (await selectOperations(q, ctx.tenantId, filters, page)).map((row) => row.operationId);
}

/** The verdict of one operation now, by the rule of the dry run. */
export async function judgeOperation(
  q: Queryable,
  ctx: EngineContext,
  judge: OperationJudge,
  id: string,
): Promise<OperationJudged> {
  const [row] = await operationPlanFacts(q, ctx.tenantId, [id]);
  return judge(row === undefined ? undefined : planFactsOf(row, await judgedBy(ctx)));
}

/** What the rules of plans need besides an operation's rows. */
interface JudgedBy {
  readonly kinds: OperationKinds;
  readonly bodyTtlHours: number;
  readonly ttls: Readonly<Record<string, number>>;
}

export async function judgedBy(ctx: EngineContext): Promise<JudgedBy> {
  return { ...(await bodyRetention(ctx)), kinds: await ctx.kinds.all() };
}

/** Facts of one operation as the rules of plans read them. */
export function planFactsOf(
  row: OperationPlanRow,
  { kinds, ...kept }: JudgedBy,
): PlanOperationFacts & { readonly about: OperationKind } {
  return {
    ...row,
    about: kindOf(kinds, row.operation),
    providerKey: row.providerKey !== undefined,
    bodyTtlHours: kept.ttls[row.operation] ?? kept.bodyTtlHours,
  };
}

function frozen(row: OperationPlanRow, about: OperationKind, { verdict, acts, why }: OperationJudged): NewPlanItem {
  const { amountMinor: minor, currency } = row;
  return {
    targetId: row.operationId,
    label: { operation: row.operation, kind: about.label, key: row.key, createdAt: row.createdAt },
    verdict,
    why,
    acts,
    ...(minor !== undefined && currency !== undefined && { amount: { minor, currency } }),
  };
}
