import { v7 as uuidv7 } from "uuid";
import { AHEAD_MINUTES, DEPLOY_DAYS, insertDeploy } from "@/db/risk/deploys";
import { AppError } from "@/domain/errors";
import { changedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";

export interface DeployReport {
  readonly service: string;
  readonly version: string;
  /** When it went live, RFC 3339; undefined: now, by the database's clock. */
  readonly at?: string | undefined;
  /** Where it is described: http or https. */
  readonly link?: string | undefined;
}

/**
 * Reports that a version of a service went live: a mark above charts, which changes nothing else.
 * @throws AppError `validation.deploy` 422 for a time that is not kept or lies ahead, and as of operatorAction
 */
export function reportDeploy(
  ctx: EngineContext,
  origin: ActionOrigin,
  { service, version, at, link }: DeployReport,
): Promise<ActionResult> {
  const id = uuidv7();
  const input = { service, version, at: at ?? null, link: link ?? null };
  const request = { ...origin, action: "deploys.report", subject: { type: "deploy", id: service }, input } as const;
  return operatorAction(ctx, request, async (tx) => {
    const { tenantId } = ctx;
    const kept = await insertDeploy(tx, { tenantId, id, service, version, at, link, reportedBy: actorRef(ctx.actor) });
    if (kept === undefined) throw outside();
    const outcome = changedOutcome({}, { id, service, version, at: kept, link: link ?? null });
    return { ...outcome, subject: { type: "deploy", id } };
  });
}

function outside(): AppError {
  return new AppError("validation.deploy", 422, "This time of a deploy is not possible", {
    detail:
      `Nothing was kept. It must not lie more than ${String(AHEAD_MINUTES)} minutes ahead, and not more than ` +
      `${String(DEPLOY_DAYS)} days back.`,
  });
}
