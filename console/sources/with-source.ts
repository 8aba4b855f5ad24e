import type { AttachManifest } from "@/attach/contract/manifest";
import { ATTACH_VIEWS } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import type { FlightView } from "@/attach/read/in-flight";
import { selectAttachment, type AttachmentRow } from "@/db/attachments/attachments";
import { databaseErrorCode } from "@/db/errors";
import { AppError } from "@/domain/errors";
import { openAttachment, type OpenAttachment } from "@/console/attachments/open-attachment";
import { requirePermission, whyNotFor } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { SourceAct, SourceActName, SourceHead } from "@/presentation/views/sources";

/** An attachment of this tenant, by its name in an address or by its id. */
export type SourceBy = { readonly name: string } | { readonly id: string };

/**
 * Runs reads of one attached database for somebody who asks.
 *
 * @returns undefined when the tenant has none of this name
 * @throws AppError `auth.forbidden` 403, `attach.unreachable` 502, `attach.read_failed` 502, `attach.not_installed` 409, `attach.manifest` 422
 */
export async function withSource<Value>(
  ctx: EngineContext,
  by: SourceBy,
  read: (open: OpenAttachment) => Promise<Value>,
): Promise<Value | undefined> {
  requirePermission(ctx, "attachments.read");
  return insideSource(ctx, by, read);
}

/** The same for a loop of ours, which nobody's role is asked for. */
export async function insideSource<Value>(
  ctx: EngineContext,
  by: SourceBy,
  read: (open: OpenAttachment) => Promise<Value>,
): Promise<Value | undefined> {
  // What our own database has to say comes first, so that its trouble is not taken for theirs.
  if ((await selectAttachment(ctx.db.pool, ctx.tenantId, by)) === undefined) return undefined;
  return theirs(async () => {
    const open = await openAttachment(ctx, by);
    return open === undefined ? undefined : read(open);
  });
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** The connection, the server, or its limits: nobody answers now. */
const AWAY = /^(?:08|28|3D|53|57P)/;

/** What their database says becomes an error of theirs: ours is well, and its own errors keep their names. */
async function theirs<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = databaseErrorCode(error);
    if (code !== undefined && SQLSTATE.test(code) && !AWAY.test(code))
      throw new AppError("attach.read_failed", 502, "The attached database refused a read", {
        detail: `It answered ${code}. Nothing was changed.`,
        retryable: true,
        cause: error,
      });
    throw new AppError("attach.unreachable", 502, "The attached database cannot be reached", {
      detail: "It does not take our connection now. Nothing was changed.",
      retryable: true,
      cause: error,
    });
  }
}

/** @returns the lists of these tables that can tell what is being worked on */
export function flightViews({ views }: AttachManifest): readonly FlightView[] {
  return (["keys", "outgoing"] as const).filter((view) =>
    views[view]?.states.some(({ state }) => state === "in_progress"),
  );
}

/** @returns what every page says of an attachment; never its login or password */
export function sourceHead(
  ctx: EngineContext,
  { row, manifest }: { readonly row: AttachmentRow; readonly manifest: AttachManifest },
): SourceHead {
  const { id, name, shown, installedAs } = row;
  const act = (verb: SourceActName): SourceAct => {
    const of = manifest.actions[verb];
    if (!of.offered) return { offered: false, says: of.reason };
    return { offered: true, says: of.caveat, whyNot: whyNotFor(ctx, `attached.${verb}`) };
  };
  return {
    ...{ id, name, shown, installedAs, preset: manifest.preset },
    title: PRESETS.find((preset) => preset.id === manifest.preset)?.title ?? manifest.preset,
    views: ATTACH_VIEWS.filter((view) => manifest.views[view] !== undefined),
    inFlight: flightViews(manifest).length > 0,
    acts: { requeue: act("requeue"), discard: act("discard"), purge: act("purge") },
    at: new Date().toISOString(),
  };
}
