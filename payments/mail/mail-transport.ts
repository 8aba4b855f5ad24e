import { z } from "zod";
import {
  composeMail,
  createMailSender,
  type DeliveryResult,
  type EngineContext,
  mailMessageId,
  type MailSender,
  type MailSettings,
  notificationToSend,
  type OutboxDelivery,
  type Transport,
} from "@/engine/index";
import { emailOf } from "../account-email";
import { renderMail } from "./render";

/** Mails under way at once. */
const CONCURRENCY = 4;

const mailPayload = z.object({ notificationId: z.uuid() });

/**
 * Delivers the topic `mail`: the message names a notification, the address is looked up where it is kept and nowhere written
 * down. Acknowledged when the server took the mail.
 */
export function createMailTransport(settings: MailSettings): Transport {
  const sender = createMailSender(settings);
  return {
    name: "mail",
    concurrency: CONCURRENCY,
    deliver: (ctx, delivery, { timeoutMs }) => deliver(ctx, delivery, { sender, from: settings.mailFrom, timeoutMs }),
    close: () => Promise.resolve(),
  };
}

async function deliver(
  ctx: EngineContext,
  delivery: OutboxDelivery,
  how: { readonly sender: MailSender; readonly from: string; readonly timeoutMs: number },
): Promise<DeliveryResult> {
  const parsed = mailPayload.safeParse(JSON.parse(delivery.body));
  if (!parsed.success) return rejected("mail.malformed", "The message names no notification");
  const row = await notificationToSend(ctx.db.pool, ctx.tenantId, parsed.data.notificationId);
  if (row === undefined) return rejected("mail.no_notification", "There is no such notification");
  // Marked by a relay whose own mark of the message was lost.
  if (row.state === "sent") return { kind: "acknowledged" };
  const { accountId } = row.detail;
  const email = accountId === undefined ? undefined : await emailOf(ctx, accountId);
  if (email === undefined) return rejected("mail.no_address", "The account has no address any more");
  const content = renderMail(row.kind, row.detail, row.createdAt);
  if (content === undefined) return rejected("mail.no_letter", "There is no mail for this kind of notification");
  const { from } = how;
  const messageId = mailMessageId(row.notificationKey, from);
  const bytes = await composeMail({ ...content, from, to: email, messageId, date: row.createdAt });
  const ready = { from, to: email, bytes, tenantId: ctx.tenantId, notificationKey: row.notificationKey };
  return how.sender.send(ready, how.timeoutMs);
}

function rejected(code: string, reason: string): DeliveryResult {
  return { kind: "rejected", code, reason };
}
