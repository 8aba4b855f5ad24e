import { openForeign, type Foreign } from "@/attach/connection";
import type { AttachManifest } from "@/attach/contract/manifest";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { selectAttachment, type AttachmentRow } from "@/db/attachments/attachments";
import { AppError } from "@/domain/errors";
import { PRESETS } from "@/attach/presets";
import type { EngineContext } from "@/engine/context";
import { meters } from "@/engine/telemetry/meters";
import { hostOfShown } from "@/domain/attachments/hosts";
import { openAddress, requireAllowedHost } from "./attachment-secret";
import { MANIFEST_KEPT_MS, MAX_OPEN_DATABASES } from "./limits";

/** An attached database that can be read now. */
export interface OpenAttachment {
  readonly row: AttachmentRow;
  readonly foreign: Foreign;
  readonly manifest: AttachManifest;
}

interface Held {
  readonly foreign: Promise<Foreign>;
  manifest: { readonly value: AttachManifest; readonly readAt: number } | undefined;
}

/** By tenant and attachment, the one that was used last at the end. */
const open = new Map<string, Held>();

/**
 * Opens an attachment of this tenant, or takes the connections that this process has.
 *
 * @param by its name in an address, or its id
 * @returns undefined when the tenant has none of this name
 * @throws AppError `attach.host_not_allowed` 422 when ATTACH_HOSTS does not list its host (any more), `attach.unreachable` 502 when nobody
 * answers there, `attach.not_installed` 409 when its schema is gone
 */
export async function openAttachment(
  ctx: Pick<EngineContext, "db" | "keyring" | "tenantId"> & { readonly config?: EngineContext["config"] | undefined },
  by: { readonly name: string } | { readonly id: string },
): Promise<OpenAttachment | undefined> {
  const { tenantId } = ctx;
  const found = await selectAttachment(ctx.db.pool, tenantId, by);
  if (found === undefined) return undefined;
  const { sealed, ...row } = found;
  requireAllowedHost(hostOfShown(row.shown), ctx.config?.attachHosts);
  const held = hold(`${tenantId} ${row.id}`, () =>
    openForeign(openAddress(ctx.keyring, { tenantId, id: row.id }, sealed), {
      onLimit: (limit) => meters.attachedCutOff.inc({ limit, preset: knownPreset(row.preset) }),
    }),
  );
  const foreign = await held.foreign;
  return { row, foreign, manifest: await manifestOf(held, foreign, row) };
}

/** What an installation calls itself may be anything; a label is one of ours. */
const knownPreset = (preset: string): string =>
  ["mapped-keys", "mapped-messages"].includes(preset) || PRESETS.some(({ id }) => id === preset) ? preset : "other";

/** Gives the connections of a removed attachment back, in this process. */
export async function closeAttachment(tenantId: string, id: string): Promise<void> {
  const key = `${tenantId} ${id}`;
  const held = open.get(key);
  open.delete(key);
  await closeHeld(held);
}

/** Gives all connections back: at the end of a process or a test. */
export async function closeAttachments(): Promise<void> {
  const all = [...open.values()];
  open.clear();
  await Promise.all(all.map(closeHeld));
}

function hold(key: string, connect: () => Promise<Foreign>): Held {
  const held = open.get(key) ?? { foreign: connect(), manifest: undefined };
  // One that cannot be reached now is tried again by whoever comes next.
  held.foreign.catch(() => {
    if (open.get(key) === held) open.delete(key);
  });
  open.delete(key);
  open.set(key, held);
  for (const [oldest, other] of open) {
    if (open.size <= MAX_OPEN_DATABASES) break;
    open.delete(oldest);
    void closeHeld(other);
  }
  return held;
}

async function closeHeld(held: Held | undefined): Promise<void> {
  if (held === undefined) return;
  const foreign = await held.foreign.catch(() => undefined);
  await foreign?.close();
}

async function manifestOf(held: Held, foreign: Foreign, row: AttachmentRow): Promise<AttachManifest> {
  const now = performance.now();
  if (held.manifest !== undefined && now - held.manifest.readAt < MANIFEST_KEPT_MS) return held.manifest.value;
  const value = await readAttachManifest(foreign, row.installedAs);
  if (value === undefined)
    throw new AppError("attach.not_installed", 409, "The views are not installed", {
      detail: `${row.shown} has no schema ${row.installedAs} that this login can use. Nothing was read.`,
    });
  held.manifest = { value, readAt: now };
  return value;
}
