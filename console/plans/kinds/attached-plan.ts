import { createHash } from "node:crypto";
import { listRows, type AttachedRow } from "@/attach/read/list-rows";
import { actOperation, NOBODY } from "@/console/attachments/act-operations";
import { openAttachment, type OpenAttachment } from "@/console/attachments/open-attachment";
import { labelsOfTargets } from "@/db/plans/select-plan-items";
import type { NewPlanItem } from "@/db/plans/create-plan";
import { AppError } from "@/domain/errors";
import { MAX_ATTACHED_ROWS } from "@/domain/plans/plan";
import type { AttachedVerdict } from "@/domain/plans/item-verdicts";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import { resultOf } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import type { AttachedScope, FrozenScope, ItemOutcome, PlanActor, PlanKindAlone } from "../plan-kind";

const READ_AT_ONCE = 500;

const WHY: Readonly<Record<AttachedVerdict, string>> = {
  dead_there: "It was dead when it was read. The function acts only while it still is.",
  not_dead_there: `It is not among the newest ${MAX_ATTACHED_ROWS.toLocaleString("en")} dead rows.`,
};

/** Rows of an attached database, each by the function that its owner installed, as an operation of its own (console/attachments). */
export function attachedPlan(act: "requeue" | "discard"): PlanKindAlone {
  return {
    name: `${act}_attached`,
    async freeze(q, ctx, scope, limit) {
      if (scope.by === "ids") return frozenBefore(await labelsOfTargets(q, ctx.tenantId, scope.ids), scope, limit);
      return scope.by === "attached" ? (await freezeDead(ctx, act, scope.filter)).slice(0, limit) : [];
    },
    async actAlone(ctx, _registry, actor, targetId) {
      const [item] = await labelsOfTargets(ctx.db.pool, ctx.tenantId, [targetId]);
      const { attachment, row } = item?.label ?? {};
      if (attachment === undefined || row === undefined) return { state: "failed", outcome: "It names no row." };
      return outcomeOf(act, await actOnce(ctx, actor, { act, attachment, row, targetId }));
    },
  };
}

interface Target {
  readonly act: "requeue" | "discard";
  readonly attachment: string;
  readonly row: string;
  readonly targetId: string;
}

/**
 * The key is that of the row in its plan, so a turn that is repeated gets the outcome of the one before.
 * @returns undefined while that is not known
 * @throws AppError retryable: the row waits for another turn
 */
async function actOnce(ctx: EngineContext, actor: PlanActor, on: Target): Promise<ActionAnswer | undefined> {
  const { act, attachment: attachmentId, row: target, targetId } = on;
  const { planId, startedBy, reason } = actor;
  const command = {
    attachmentId,
    act,
    target,
    before: undefined,
    most: undefined,
    reason,
    plan: { planId, startedBy },
  };
  const request = { key: `plan:${planId}:${targetId}`, command, receivedAt: performance.now() };
  const answer = await execute(ctx, actOperation(act), request);
  return answer.outcome === "in_progress" || answer.outcome === "unknown" ? undefined : resultOf(answer).answer;
}

function outcomeOf(act: "requeue" | "discard", answer: ActionAnswer | undefined): ItemOutcome | undefined {
  if (answer === undefined) return undefined;
  if (answer.affected === 0) return { state: "skipped", outcome: answer.skipped[0]?.why ?? NOBODY };
  const { before, after } = answer;
  const states = [before["state"], after["state"]].filter((state) => typeof state === "string");
  const words = act === "requeue" ? "Requeued" : "Discarded";
  return { state: "done", outcome: states.length === 0 ? `${words}.` : `${words}: ${states.join(", now ")}.` };
}

/** What a page or a plan of the rest asks about: as it was frozen, since their database is not asked for a page. */
function frozenBefore(
  items: readonly { readonly targetId: string; readonly label: Readonly<Record<string, string>> }[],
  { ids }: Extract<FrozenScope, { by: "ids" }>,
  limit: number,
): readonly NewPlanItem[] {
  const known = new Map(items.map((item) => [item.targetId, item.label]));
  return ids.slice(0, limit).flatMap((targetId): NewPlanItem[] => {
    const label = known.get(targetId);
    return label === undefined ? [] : [{ targetId, label, ...verdictOf("dead_there") }];
  });
}

const verdictOf = (verdict: AttachedVerdict) => ({ verdict, why: WHY[verdict], acts: verdict === "dead_there" });

async function freezeDead(
  ctx: EngineContext,
  act: "requeue" | "discard",
  scope: AttachedScope,
): Promise<readonly NewPlanItem[]> {
  const opened = await openAttachment(ctx, { id: scope.attachment });
  if (opened === undefined)
    throw new AppError("attachment.not_found", 404, "There is no such attachment", { detail: "No plan was made." });
  const offered = opened.manifest.actions[act];
  if (!offered.offered)
    throw new AppError("plan.nothing", 422, "Nothing matches", { detail: `${offered.reason} No plan was made.` });
  const dead = await readDead(opened);
  const { rows, type, error } = scope;
  if (rows !== undefined) {
    const known = new Map(dead.map((row) => [textOf(row, "id"), row]));
    return rows.map((id) => itemOf(opened, id, known.get(id)));
  }
  return dead
    .filter((row) => type === undefined || textOf(row, "type") === type)
    .filter((row) => error === undefined || textOf(row, "error_type") === error)
    .map((row) => itemOf(opened, textOf(row, "id") ?? "", row));
}

/** The newest dead rows; more than a plan freezes are refused by whoever named no rows. */
async function readDead({ foreign, manifest, row }: OpenAttachment): Promise<readonly AttachedRow[]> {
  const found: AttachedRow[] = [];
  let after: readonly string[] | undefined;
  do {
    const page = await listRows(foreign, row.installedAs, manifest, "dead", { after, limit: READ_AT_ONCE });
    if (!page.shown)
      throw new AppError("plan.nothing", 422, "Nothing matches", { detail: `${page.because} No plan was made.` });
    found.push(...page.rows);
    after = page.next;
  } while (after !== undefined && found.length < MAX_ATTACHED_ROWS);
  return found.slice(0, MAX_ATTACHED_ROWS);
}

const LABEL_MAX = 200;

function itemOf({ row: attachment }: OpenAttachment, id: string, dead: AttachedRow | undefined): NewPlanItem {
  const type = dead === undefined ? undefined : textOf(dead, "type");
  return {
    targetId: targetIdOf(attachment.id, id),
    label: {
      ...{ attachment: attachment.id, place: attachment.name, row: id, key: id },
      type: type?.slice(0, LABEL_MAX) ?? "Row",
    },
    ...verdictOf(dead === undefined ? "not_dead_there" : "dead_there"),
  };
}

function textOf({ values }: AttachedRow, column: string): string | undefined {
  const value = values[column];
  return typeof value === "string" ? value : undefined;
}

/** The same row of the same attachment has the same id in every plan. */
function targetIdOf(attachmentId: string, row: string): string {
  const hex = createHash("sha256").update(`${attachmentId} ${row}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
