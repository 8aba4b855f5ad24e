import { v7 as uuidv7 } from "uuid";
import { purgeBodiesBatch, skippedOpenBodies } from "@/db/bodies/purge-bodies";
import { recordRetentionRun } from "@/db/retention/retention-runs";
import { inTransaction } from "@/db/transaction";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { bodyRetention } from "@/engine/bodies/body-retention";
import type { EngineContext } from "@/engine/context";
import { operatorTask } from "@/engine/actions/operator-action";

const BATCH = 500;
/** Most operations of one run; the answer says when more is left. */
export const PURGE_RUN_LIMIT = 50_000;
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
