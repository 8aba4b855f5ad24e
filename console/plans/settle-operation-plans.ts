import { v7 as uuidv7 } from "uuid";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import { recordRetentionRun } from "@/db/retention/retention-runs";
import { AppError } from "@/domain/errors";
import { readActionFacts } from "../actions/action-facts";
import { outcomeOf } from "../actions/operation-actions";
import type { Conclusion } from "@/engine/execute/conclude-provider";
import type { EngineContext } from "@/engine/context";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { freezeOperations, judgeOperation, JUDGES } from "./operation-plans";
import type { ItemOutcome, PlanActor, PlanKind, PlanKindAlone } from "./plan-kind";
import type { Queryable } from "@/db/client";
import type { OperationState } from "@/domain/idempotency/states";
import type { PlanKindName } from "@/domain/plans/plan";
import { SETTLED_DECLINED, SETTLED_MEANWHILE, SETTLED_SUCCEEDED, STILL_UNKNOWN } from "@/domain/plans/plan-results";
import { formatBytes } from "@/presentation/format/format-bytes";
import { plural } from "@/presentation/format/words";
import type { OperationJudged } from "@/presentation/plan/operation-verdict";
import { settlersOf, settlerWords } from "./settlers";

/** The provider is asked about each; nothing is sent again. */
export const reconcileOperations = settlingPlan("reconcile_operations", "reconcile");
/** Keys of owners that are gone before anything was sent become free, through recovery's own transition. */
export const releaseOperations = settlingPlan("release_operations", "release");

/** The row ends in the transaction that settles the operation; a worker that dies before it leaves both as they were. */
function settlingPlan(name: PlanKind["name"], verb: "reconcile" | "release"): PlanKindAlone {
  const judge = JUDGES[verb];
  return {
    name,
    freeze: (q, ctx, scope, limit) => freezeOperations(q, ctx, judge, scope, limit),
    async actAlone(ctx, registry, actor, targetId, end) {
      const judged = await judgeOperation(ctx.db.pool, ctx, judge, targetId);
      // Whoever holds it ends, or its lease does: the row waits for another turn.
      if (judged.verdict === "leased") return undefined;
      if (!judged.acts) return skipped(ctx, ctx.db.pool, name, targetId, judged);
      const before = await readActionFacts(ctx, ctx.db.pool, targetId);
      try {
        const settled = await reconcileOperation(ctx, registry, {
          operationId: targetId,
          onlyAsk: true,
          onlyRelease: verb === "release",
          alongside: (tx, conclusion) => end(tx, outcomeOfRow(actor, targetId, verb, before, conclusion)),
        });
        // Only where nobody called `end`: the row never says more than the operation's state does.
        return settled.after === "UNKNOWN_REQUIRES_RECOVERY"
          ? { state: "skipped", outcome: `${STILL_UNKNOWN}: ${settled.finding}.` }
          : { state: settled.changed ? "done" : "skipped", outcome: `Now: ${settled.finding}.` };
      } catch (error) {
        if (error instanceof AppError && error.code === "operation.not_open") return undefined;
        throw error;
      }
    },
  };
}

const STATE_WORDS: Readonly<Partial<Record<OperationState, string>>> = {
  COMPLETED: "it succeeded",
  FAILED_REPLAYABLE: "it was declined",
  FAILED_RETRYABLE: "it ended without effect",
  EXPIRED: "its key has expired",
};

/** How a row ends that must not act: where somebody else was first, it says who and with what. */
async function skipped(
  ctx: EngineContext,
  q: Queryable,
  kind: PlanKindName,
  targetId: string,
  judged: OperationJudged,
): Promise<ItemOutcome> {
  const settler = (await settlersOf(q, ctx, kind, [targetId])).get(targetId);
  if (settler === undefined || (judged.verdict !== "settled" && judged.verdict !== "purged"))
    return { state: "skipped", outcome: judged.why };
  const { state } = await readActionFacts(ctx, q, targetId);
  const what = judged.verdict === "purged" ? "its bodies are purged" : (STATE_WORDS[state] ?? "its outcome is known");
  return { state: "skipped", outcome: `${SETTLED_MEANWHILE} ${settlerWords(settler)}: ${what}.` };
}

function outcomeOfRow(
  actor: PlanActor,
  id: string,
  verb: "reconcile" | "release",
  before: Parameters<typeof outcomeOf>[0],
  conclusion: Conclusion,
): ItemOutcome {
  const facts = outcomeOf(before, conclusion);
  return {
    state: conclusion.kind === "unknown" ? "skipped" : "done",
    outcome: sentenceOf(conclusion),
    audit: {
      action: `operations.${verb}`,
      subject: { type: "operation", id },
      reason: actor.reason,
      before: facts.before,
      after: { ...facts.after, changed: facts.changed, affected: facts.affected, skipped: [] },
      evidence: { planId: actor.planId, startedBy: actor.startedBy },
    },
  };
}

function sentenceOf(conclusion: Conclusion): string {
  switch (conclusion.kind) {
    case "settled":
      return conclusion.settlement.state === "COMPLETED" ? SETTLED_SUCCEEDED : SETTLED_DECLINED;
    case "released":
      return "No effect anywhere: it was released.";
    case "unknown":
      return `${STILL_UNKNOWN}: ${conclusion.finding}.`;
  }
}

/** Bodies of settled operations that are older than their policy keeps them. */
export const purgeBodies: PlanKind = {
  name: "purge_bodies",
  freeze: (q, ctx, scope, limit) => freezeOperations(q, ctx, JUDGES.purge, scope, limit),
  async act(tx, ctx, actor, targetId): Promise<ItemOutcome> {
    const judged = await judgeOperation(tx, ctx, JUDGES.purge, targetId);
    if (!judged.acts) return skipped(ctx, tx, "purge_bodies", targetId, judged);
    const before = await readActionFacts(ctx, tx, targetId);
    const one = { tenantId: ctx.tenantId, bodyTtlHours: 0, limit: 1, operationId: targetId };
    const purged = await purgeBodiesBatch(tx, one);
    if (purged.operations === 0) return { state: "skipped", outcome: "Somebody else was working on it." };
    await keepRun(ctx, tx, actor, targetId, purged);
    const bytes = purged.bytes.toString();
    return {
      state: "done",
      outcome: `${plural(purged.bodyRows, "body", "bodies")} purged, ${formatBytes(bytes)}. The fingerprint stays: the purge lets no key run again.`,
      audit: {
        action: "operations.purge_body",
        subject: { type: "operation", id: targetId },
        reason: actor.reason,
        before,
        after: { changed: true, affected: 1, skipped: [], bodyRows: purged.bodyRows, bytes },
        evidence: { planId: actor.planId, startedBy: actor.startedBy },
      },
    };
  },
};

async function keepRun(
  ctx: EngineContext,
  tx: Parameters<typeof recordRetentionRun>[0],
  actor: PlanActor,
  operationId: string,
  purged: { readonly bodyRows: number; readonly bytes: bigint },
): Promise<void> {
  await recordRetentionRun(tx, {
    tenantId: ctx.tenantId,
    id: uuidv7(),
    actor: actor.startedBy,
    kind: "purge_body",
    rows: purged.bodyRows,
    bytes: purged.bytes,
    detail: { operationId, planId: actor.planId },
  });
}
