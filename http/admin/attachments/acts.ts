import type { Hono } from "hono";
import { z } from "zod";
import { MAX_PURGED_ROWS } from "@/domain/attachments/acts";
import { actOnAttached } from "@/console/attachments/act-on-attached";
import type { AdminEnv } from "../../env";
import { idOf, withMessage } from "../action-answer";
import { reason } from "../action-bodies";
import { act, type AdminCall } from "../declare";

/** The longest key of a library's table that names a row, with its prefix. */
const ROW_MAX = 1_000;

const rowBody = z.strictObject({
  row: z.string().min(1).max(ROW_MAX).describe("the id of a row, as the view has it: `out:17`"),
  reason,
});
const purgeBody = z.strictObject({
  before: z.iso.datetime({ offset: true }).describe("rows from before this time"),
  // Forms send texts.
  most: z
    .union([z.int(), z.string().regex(/^\d{1,3}$/)])
    .transform(Number)
    .refine(
      (most) => most >= 1 && most <= MAX_PURGED_ROWS,
      `must be a whole number from 1 to ${String(MAX_PURGED_ROWS)}`,
    ),
  reason,
});
const errors = [
  "attachment.not_found",
  "dependency.refused",
  "dependency.unavailable",
  "dependency.timeout",
  "attached.not_done",
];

/** What the guarded functions of an attached database do; each call is one operation, whose lost answer is unknown until it is looked up. */
export function registerAttachedActs(app: Hono<AdminEnv>): void {
  const requeue = { id: "requeueAttached", summary: "Requeue a row of an attached database", body: rowBody, errors };
  act(app, "attached.requeue", "/attachments/:id/requeue", requeue, async ({ c, ctx, origin }, { row }) =>
    withMessage(c, await actOnAttached(ctx, origin, attachmentOf(c), { act: "requeue", row }), "It is requeued."),
  );
  const discard = {
    id: "discardAttached",
    summary: "Discard a row of an attached database",
    body: rowBody,
    errors: [...errors, "plan.needed"],
  };
  act(app, "attached.discard", "/attachments/:id/discard", discard, async ({ c, ctx, origin }, { row }) =>
    withMessage(c, await actOnAttached(ctx, origin, attachmentOf(c), { act: "discard", row }), "It is discarded."),
  );
  const purge = {
    id: "purgeAttached",
    summary: "Delete old rows of an attached database",
    description: "As many as one person may delete alone; a plan deletes more, in batches.",
    body: purgeBody,
    errors: [...errors, "plan.needed"],
  };
  act(app, "attached.purge", "/attachments/:id/purge", purge, async ({ c, ctx, origin }, { before, most }) => {
    const result = await actOnAttached(ctx, origin, attachmentOf(c), { act: "purge", before: new Date(before), most });
    return withMessage(c, result, `Deleted: ${String(result.answer.affected)}.`);
  });
}

function attachmentOf(c: AdminCall): string {
  return idOf(c, "attachment.not_found");
}
