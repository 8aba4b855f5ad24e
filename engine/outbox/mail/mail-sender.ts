import { join } from "node:path";
import { createFileSender } from "./file-sender";
import type { MailSender } from "./mail";
import { createSmtpSender } from "./smtp-sender";

const MAIL_DIR = "mail";

/** By what mails of a deployment leave. */
export interface MailSettings {
  /** SMTP_URL; without it mails are files in `dataDir`/mail. */
  readonly smtpUrl: string | undefined;
  /** MAIL_FROM: `Name <user@host>` or `user@host`. */
  readonly mailFrom: string;
  /** DATA_DIR */
  readonly dataDir: string;
}

/** @returns what takes a mail that is ready: the mail server of the deployment, or files where there is none */
export function createMailSender({ smtpUrl, dataDir }: MailSettings): MailSender {
  return smtpUrl === undefined ? createFileSender(join(dataDir, MAIL_DIR)) : createSmtpSender(smtpUrl);
}
