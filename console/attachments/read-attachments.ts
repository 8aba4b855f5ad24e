import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import { selectAttachments, type AttachmentRow } from "@/db/attachments/attachments";
import { readWithin } from "@/db/bounded-read";
import { selectNow } from "@/db/checks/invariant-runs";
import { whyNot } from "@/domain/access/permission";
import { withConcurrency } from "@/domain/with-concurrency";
import { withTimeout } from "@/domain/with-timeout";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { AttachmentFormView, AttachmentsView, AttachmentView } from "@/presentation/views/attachments";
import { MAX_ATTACHMENTS, REACH_MS, REACHED_AT_ONCE } from "./limits";
import { becauseOf } from "./look-at-address";
import { openAttachment } from "./open-attachment";

const MS_PER_SECOND = 1_000;

/** What a table that was mapped by hand is called. */
const MAPPED: Readonly<Record<string, string>> = {
  "mapped-keys": "keys of their own",
  "mapped-messages": "messages of their own",
};

/**
 * The attached databases of the tenant, and whether each answers now; never its address with login and password.
 *
 * @throws AppError `auth.forbidden` 403
 */
export async function readAttachments(ctx: EngineContext): Promise<AttachmentsView> {
  requirePermission(ctx, "attachments.read");
  const { at, rows } = await readWithin(ctx.db, "list", async (q) => ({
    at: await selectNow(q),
    rows: await selectAttachments(q, ctx.tenantId, MAX_ATTACHMENTS),
  }));
  const problems = await askEach(ctx, rows);
  return {
    at,
    attachments: rows.map((row) => attachmentView(row, problems.get(row.id))),
    limit: MAX_ATTACHMENTS,
    whyNot: whyNot(roleOf(ctx), "attachments.create"),
  };
}

/**
 * What the page on which a database is attached begins with.
 *
 * @throws AppError `auth.forbidden` 403
 */
export function readAttachmentForm(ctx: EngineContext): AttachmentFormView {
  requirePermission(ctx, "attachments.read");
  return { whyNot: whyNot(roleOf(ctx), "attachments.create"), schema: ATTACH_SCHEMA };
}

/** @returns why each that cannot be read now cannot, by its id */
async function askEach(ctx: EngineContext, rows: readonly AttachmentRow[]): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  await withConcurrency(REACHED_AT_ONCE, rows, async ({ id }) => {
    try {
      await withTimeout(askOne(ctx, id), REACH_MS, () => {
        throw new Error(`it did not answer within ${String(REACH_MS / MS_PER_SECOND)} s`);
      });
    } catch (error) {
      problems.set(id, `${becauseOf(error)}.`);
    }
  });
  return problems;
}

async function askOne(ctx: EngineContext, id: string): Promise<void> {
  const opened = await openAttachment(ctx, { id });
  // What an installation said is kept for a while, so that it answers now is asked by itself.
  await opened?.foreign.query("select 1");
}

function attachmentView(row: AttachmentRow, unreachable: string | undefined): AttachmentView {
  const { id, name, shown, installedAs, preset, createdBy } = row;
  const library = PRESETS.find((each) => each.id === preset)?.title ?? MAPPED[preset] ?? preset;
  return { id, name, shown, library, installedAs, createdAt: row.createdAt.toISOString(), createdBy, unreachable };
}
