import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Foreign } from "@/attach/connection";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { attachmentForChange, insertAttachment, markAttachmentRemoved } from "@/db/attachments/attachments";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { changedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import { operatorAction, operatorTask } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { readAddress, requireAllowedHost, sealAddress } from "./attachment-secret";
import { MAX_ATTACHMENTS } from "./limits";
import { checkInstallation, withAddress, type LookOptions } from "./look-at-address";
import { closeAttachment } from "./open-attachment";

const TYPE = "attachment";

export interface NewAttachment {
  /** In addresses and menus: `orders-db`. */
  readonly name: string;
  /** With login and password: sealed, and shown to nobody again. */
  readonly url: string;
  /** The schema that its owner installed. */
  readonly schema: string;
}

/**
 * Attaches a database to this tenant, once what was installed there has been looked at again.
 *
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `validation.attachment_address` 422, `attach.host_not_allowed` 422,
 * `attach.unreachable` 502, `attach.superuser` 422, `attach.not_installed` 409, `attach.check_failed` 409, `attach.manifest` 422,
 * `attach.too_many_looks` 503, `attachment.limit` 409, `attachment.name_taken` 409
 */
export function createAttachment(
  ctx: EngineContext,
  origin: ActionOrigin,
  { name, url, schema }: NewAttachment,
  { allowedHosts }: LookOptions,
): Promise<ActionResult> {
  const address = readAddress(url);
  // What is kept of the action tells two of them apart, and holds no address.
  const digest = createHash("sha256").update(address.url).digest("base64url");
  const request = {
    ...origin,
    action: "attachments.create",
    subject: { type: TYPE, id: name },
    input: { name, schema, url: digest },
  } as const;
  return operatorTask(ctx, request, async (finish) => {
    requireAllowedHost(address, allowedHosts);
    const preset = await withAddress(address, (foreign) => installedPreset(ctx, foreign, address.shown, schema));
    const id = uuidv7();
    const facts = { id, name, shown: address.shown, installedAs: schema, preset };
    const outcome = { ...changedOutcome({}, facts), subject: { type: TYPE, id } };
    await inTransaction(ctx.db, async (tx) => {
      const sealed = sealAddress(ctx.keyring, { tenantId: ctx.tenantId, id }, address.url);
      const row = { ...facts, sealed, createdBy: ctx.actor.name };
      const kept = await insertAttachment(tx, ctx.tenantId, row, MAX_ATTACHMENTS);
      if (kept !== "kept") throw REFUSED[kept];
      await finish(tx, outcome);
    });
    return outcome;
  });
}

const REFUSED = {
  get limit() {
    return new AppError("attachment.limit", 409, "The limit of attached databases is reached", {
      detail: `Nothing was attached. A tenant has at most ${String(MAX_ATTACHMENTS)}; remove one first.`,
    });
  },
  get name_taken() {
    return new AppError("attachment.name_taken", 409, "The name is taken", {
      detail: "Nothing was attached. Another attachment of this tenant has this name.",
    });
  },
};

/** @returns the preset of an installation in which no check is wrong */
async function installedPreset(ctx: EngineContext, foreign: Foreign, shown: string, schema: string): Promise<string> {
  const manifest = await readAttachManifest(foreign, schema);
  if (manifest === undefined)
    throw new AppError("attach.not_installed", 409, "The views are not installed", {
      detail: `${shown} has no schema ${schema}: its owner runs the SQL first. Nothing was attached.`,
    });
  const wrong = (await checkInstallation(ctx, foreign, schema)).find(({ state }) => state === "wrong");
  if (wrong !== undefined)
    throw new AppError("attach.check_failed", 409, "A check fails", { detail: `${wrong.text} Nothing was attached.` });
  return manifest.preset;
}

/**
 * Removes an attachment with its sealed address, and gives the connections of this process back. What was done there stays in the audit,
 * and nothing changes in the database itself.
 *
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `attachment.not_found` 404
 */
export async function removeAttachment(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  const request = { ...origin, action: "attachments.remove", subject: { type: TYPE, id }, input: {} } as const;
  const result = await operatorAction(ctx, request, async (tx) => {
    const was = await attachmentForChange(tx, ctx.tenantId, id);
    if (was === undefined)
      throw new AppError("attachment.not_found", 404, "There is no such attachment", {
        detail: "Nothing was changed.",
      });
    await markAttachmentRemoved(tx, ctx.tenantId, id);
    const { name, shown, installedAs, preset } = was;
    return changedOutcome({ name, shown, installedAs, preset }, {});
  });
  await closeAttachment(ctx.tenantId, id);
  return result;
}
