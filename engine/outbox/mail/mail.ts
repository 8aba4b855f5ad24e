import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { DeliveryResult } from "../transport";

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Plain text, lines end in \n. */
  readonly text: string;
  /** With its angle brackets, the same on every resend. */
  readonly messageId: string;
  readonly date: Date;
}

/** A mail with its bytes, ready to leave. */
export interface ReadyMail {
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
  readonly tenantId: string;
  readonly notificationKey: string;
}

export interface MailSender {
  /** Never throws for trouble on the way. */
  send(mail: ReadyMail, timeoutMs: number): Promise<DeliveryResult>;
}

/** @returns the same bytes for the same mail, whenever it is composed */
export function composeMail(mail: Mail): Promise<Buffer> {
  return new MailComposer({
    ...mail,
    // No out-of-office answers, please.
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
    textEncoding: "quoted-printable",
  })
    .compile()
    .build();
}

/** @param from `Name <user@host>` or `user@host` @returns the bare address */
export function bareAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}

/** @returns `<key@host>`: one notification has one Message-ID, however often it leaves */
export function mailMessageId(notificationKey: string, from: string): string {
  return `<${notificationKey}@${bareAddress(from).split("@").at(-1) ?? "localhost"}>`;
}
