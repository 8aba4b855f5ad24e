import type { Hono } from "hono";
import { z } from "zod";
import { createAttachment, removeAttachment } from "@/console/attachments/attachment-actions";
import { lookAtAddress } from "@/console/attachments/look-at-address";
import { attachmentSchema, attachmentUrl, lookRequest } from "@/console/attachments/look-request";
import { readAttachments } from "@/console/attachments/read-attachments";
import { ATTACHMENT_NAME, ATTACHMENT_NAME_RULE } from "@/domain/attachments/name";
import type { AdminEnv } from "../../env";
import { jsonAnswer } from "../../profiles/plain";
import { idOf, withMessage } from "../action-answer";
import { reason, reasonBody } from "../action-bodies";
import { act, read, type AdminCall } from "../declare";

const attachmentBody = z.strictObject({
  name: z.string().regex(ATTACHMENT_NAME, ATTACHMENT_NAME_RULE),
  url: attachmentUrl,
  schema: attachmentSchema,
  reason: reason.optional(),
});

/** What goes wrong at an address, before anything is looked at there. */
const AT_ADDRESS = [
  "validation.attachment_address",
  "attach.host_not_allowed",
  "attach.too_many_looks",
  "attach.unreachable",
  "attach.superuser",
];

/** The databases that a tenant's people look at. An address is in the request that attached it, or looked at it, and in no answer. */
export function registerAttachments(app: Hono<AdminEnv>): void {
  const all = { id: "readAttachments", summary: "Attached databases, and whether each answers now" };
  read(app, "attachments.read", "/attachments", all, (ctx) => readAttachments(ctx));
  const look = {
    id: "lookAtAttachment",
    summary: "Look at a database before it is attached",
    description:
      "Connects, says whose tables are there and what could be shown of them, and closes the connection. Nothing is kept, nothing is changed.",
    body: lookRequest,
    otherwise: "it reads, and changes nothing here or there",
    errors: AT_ADDRESS,
  };
  act(app, "attachments.create", "/attachments/look", look, async ({ c, ctx }, request) =>
    jsonAnswer(c, await lookAtAddress(ctx, request, hostsOf(c))),
  );
  const create = {
    id: "createAttachment",
    summary: "Attach a database",
    body: attachmentBody,
    errors: [
      ...AT_ADDRESS,
      "attach.not_installed",
      "attach.check_failed",
      "attach.manifest",
      "attachment.limit",
      "attachment.name_taken",
    ],
  };
  act(app, "attachments.create", "/attachments", create, async ({ c, ctx, origin }, { name, url, schema }) =>
    withMessage(c, await createAttachment(ctx, origin, { name, url, schema }, hostsOf(c)), "Attached."),
  );
  const remove = {
    id: "removeAttachment",
    summary: "Remove an attached database",
    body: reasonBody,
    errors: ["attachment.not_found"],
  };
  act(app, "attachments.remove", "/attachments/:id/remove", remove, async ({ c, ctx, origin }) =>
    withMessage(c, await removeAttachment(ctx, origin, idOf(c, "attachment.not_found")), "It is removed."),
  );
}

const hostsOf = (c: AdminCall) => ({ allowedHosts: c.get("deps").config.attachHosts });
