import { join } from "node:path";
import { z } from "zod";
import {
  type DeliveryResult,
  type EngineContext,
  notificationToSend,
  type OutboxDelivery,
  type Transport,
} from "@/engine/index";
import { emailOf } from "../account-email";
import { createFileSender } from "./file-sender";
import { composeMail, mailMessageId, type MailSender } from "./mail";
import { renderMail } from "./render";
import { createSmtpSender } from "./smtp-sender";

/** Mails under way at once. */
const CONCURRENCY = 4;
const MAIL_DIR = "mail";

export interface MailTransportOptions {
  /** SMTP_URL; without it mails are files in `dataDir`/mail. */
  readonly smtpUrl: string | undefined;
  /** MAIL_FROM */
  readonly mailFrom: string;
  /** DATA_DIR */
  readonly dataDir: string;
}

const mailPayload = z.object({ notificationId: z.uuid() });

/**
 * Delivers the topic `mail`: the message names a notification, the address is looked up where it is kept and nowhere written
 * down. Acknowledged when the server took the mail.
 */
export function createMailTransport(options: MailTransportOptions): Transport {
  const { smtpUrl, mailFrom, dataDir } = options;
  const sender = smtpUrl === undefined ? createFileSender(join(dataDir, MAIL_DIR)) : createSmtpSender(smtpUrl);
  return {
    name: "mail",
    concurrency: CONCURRENCY,
    deliver: (ctx, delivery, { timeoutMs }) => deliver(ctx, delivery, { sender, from: mailFrom, timeoutMs }),
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
