import { operationBodies } from "@/db/bodies/bodies";
import { recordEvent } from "@/engine/execute/answer-event";
import { keptElsewhere } from "@/engine/bodies/body-keyring";
import {
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
  changedOutcome,
  unchangedOutcome,
} from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { auditRepeatedLook, operatorAction, operatorTask } from "@/engine/actions/operator-action";
import { countSingleAct } from "../second-person/single-acts";
import { readActionFacts } from "./action-facts";
import { OPEN_STATES } from "@/domain/idempotency/states";
import { purgeBodiesBatch, skippedOpenBodies } from "@/db/bodies/purge-bodies";
import { recordRetentionRun } from "@/db/retention/retention-runs";
import { v7 as uuidv7 } from "uuid";
import { bodyRetention } from "@/engine/bodies/body-retention";
import { inTransaction } from "@/db/transaction";

export interface RevealedBodies {
  /** Texts as they were stored; undefined: purged, none was kept, or a service keeps it to itself. */
  readonly command: string | undefined;
  readonly response: string | undefined;
}

/**
 * Opens what one operation stored, for a person with a reason. What is kept of it is that somebody looked, never what was seen:
 * the answer of the action holds no body, so a purge leaves none behind in it.
 * @throws AppError `operation.not_found` 404
 */
export async function revealBody(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult & { readonly bodies: RevealedBodies }> {
  const result = await operatorAction(ctx, request, async (tx): Promise<ActionOutcome> => {
    const { operation, state, bodyPurgedAt } = await readActionFacts(ctx, tx, operationId);
    const kinds = (await operationBodies(tx, ctx.tenantId, operationId)).map((body) => body.kind).sort();
    const { requestId, actor } = ctx;
    const event = { operationId, operation, type: "body_revealed", requestId, actor: actor.name, detail: { kinds } };
    await recordEvent(ctx, tx, event);
    const why = bodyPurgedAt === undefined ? "There is no stored body." : "Its body was purged.";
    const skipped = kinds.length === 0 ? [{ id: operationId, why }] : [];
    return { changed: false, affected: kinds.length, skipped, before: { state }, after: { state, revealed: kinds } };
  });
  await auditRepeatedLook(ctx, request, result);
  return { ...result, bodies: await openBodies(ctx, operationId) };
}

async function openBodies(ctx: EngineContext, operationId: string): Promise<RevealedBodies> {
  const bodies = await operationBodies(ctx.db.pool, ctx.tenantId, operationId);
  const open = async (kind: "command" | "response"): Promise<string | undefined> => {
    const sealed = bodies.find((body) => body.kind === kind);
    if (sealed === undefined || keptElsewhere(sealed.body)) return undefined;
    const { operation, key } = sealed;
    const subject = { tenantId: ctx.tenantId, operation, key, operationId };
    return (await ctx.keyring.open(sealed.body, subject, kind)).toString("utf8");
  };
  return { command: await open("command"), response: await open("response") };
}

/**
 * Deletes command and answer of one settled operation for good; the key still answers, by reference only. What is open is skipped
 * and says why.
 * @throws AppError `operation.not_found` 404, `plan.needed` 409
 */
export async function purgeBody(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const before = await readActionFacts(ctx, tx, operationId);
    const skip = (why: string) => unchangedOutcome(operationId, why, before);
    if (OPEN_STATES.includes(before.state)) return skip("It is still open: the body is evidence.");
    if (before.bodyPurgedAt !== undefined) return skip("Its body was purged already.");
    const purged = await purgeBodiesBatch(tx, { tenantId: ctx.tenantId, bodyTtlHours: 0, limit: 1, operationId });
    if (purged.operations === 0)
      return skip("It has no stored body, may run again under its key, or was in use at that moment.");
    await countSingleAct(tx, ctx, { kind: "purge", amount: undefined });
    await recordRetentionRun(tx, {
      tenantId: ctx.tenantId,
      id: uuidv7(),
      actor: ctx.actor.name,
      kind: "purge_body",
      rows: purged.bodyRows,
      bytes: purged.bytes,
      detail: { operationId },
    });
    const after = {
      ...(await readActionFacts(ctx, tx, operationId)),
      bodyRows: purged.bodyRows,
      bytes: purged.bytes.toString(),
    };
    return changedOutcome(before, after);
  });
}

const BATCH = 500;

/** Most operations of one run; the answer says when more is left. */
const PURGE_RUN_LIMIT = 50_000;

/** A run ends by then, well within the lease of its own claim. */
const PURGE_RUN_MS = 15_000;

/** Skipped operations that are named. */
const SKIPPED_LIMIT = 100;

/**
 * "Purge expired bodies now": small batches up to a limit of rows and of time, a run on record, and an answer that says what was
 * removed and what was skipped and why. Each batch commits by itself; a run that is cut off has purged only what was due anyway.
 */
export async function purgeExpiredBodies(ctx: EngineContext, request: ActionRequest): Promise<ActionResult> {
  return operatorTask(ctx, request, async (finish) => {
    const { bodyTtlHours, ttls } = await bodyRetention(ctx);
    const until = performance.now() + PURGE_RUN_MS;
    let operations = 0;
    let bodyRows = 0;
    let bytes = 0n;
    let more = true;
    while (more && operations < PURGE_RUN_LIMIT && performance.now() < until) {
      const purged = await purgeBodiesBatch(ctx.db.pool, { tenantId: ctx.tenantId, bodyTtlHours, ttls, limit: BATCH });
      operations += purged.operations;
      bodyRows += purged.bodyRows;
      bytes += purged.bytes;
      more = purged.operations === BATCH;
    }
    const open = await skippedOpenBodies(ctx.db.pool, ctx.tenantId, { bodyTtlHours, ttls }, SKIPPED_LIMIT);
    const runId = uuidv7();
    const outcome: ActionOutcome = {
      changed: operations > 0,
      affected: operations,
      skipped: open.map((id) => ({ id, why: "Still open: the body is evidence." })),
      before: { bodyTtlHours, ...(Object.keys(ttls).length > 0 && { bodyTtlHoursOf: ttls }) },
      after: { runId, operations, bodyRows, bytes: bytes.toString(), more },
    };
    await inTransaction(ctx.db, async (tx) => {
      await recordRetentionRun(tx, {
        tenantId: ctx.tenantId,
        id: runId,
        actor: ctx.actor.name,
        kind: "purge_bodies",
        rows: bodyRows,
        bytes,
        detail: { operations, skippedOpen: open.length, more },
      });
      await finish(tx, outcome);
    });
    return outcome;
  });
}
