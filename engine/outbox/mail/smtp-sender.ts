import { parseConnectionUrl } from "nodemailer/lib/shared/index.js";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import type { DeliveryResult } from "../transport";
import { bareAddress, type MailSender, type ReadyMail } from "./mail";

/** What a URL says. */
type Server = ReturnType<typeof parseConnectionUrl>;
type Trouble = Pick<SMTPConnection.SMTPError, "code" | "command" | "responseCode">;

/** The server ends the connection, whatever it was about. */
const SHUTTING_DOWN = 421;

/**
 * Sends over SMTP, a connection per mail. Trouble before the server is ready for a mail is an outage; after that it is the
 * mail's own: 4xx comes again, 5xx about the recipient or the content is final. The mail is sent when the server has said yes to its content.
 *
 * A password goes out over TLS alone, whatever the URL says beside it: a server that offers no STARTTLS is an outage that says so.
 *
 * @param url `smtp://user:password@host:587` or `smtps://…`, as nodemailer reads it
 */
export function createSmtpSender(url: string): MailSender {
  const said = parseConnectionUrl(url);
  const server = said.auth === undefined ? said : { ...said, requireTLS: true };
  return { send: (mail, timeoutMs) => sendOnce(server, mail, timeoutMs) };
}

function sendOnce(server: Server, mail: ReadyMail, timeoutMs: number): Promise<DeliveryResult> {
  const connection = new SMTPConnection({
    ...server,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
  return new Promise((resolve) => {
    let ready = false;
    let ended = false;
    const end = (result: DeliveryResult): void => {
      if (ended) return;
      ended = true;
      clearTimeout(late);
      if (result.kind === "acknowledged") connection.quit();
      else connection.close();
      resolve(result);
    };
    const fail = (error: Trouble): void => end(ready ? refused(error) : outage(error));
    // All of it together, however slowly each answer comes.
    const late = setTimeout(() => {
      fail({ code: "ETIMEDOUT" });
    }, timeoutMs);
    connection.on("error", fail);
    connection.on("end", () => {
      // The end is told before the answer that it came with.
      const saidSo = String(connection.lastServerResponse).startsWith(String(SHUTTING_DOWN));
      fail({ code: "ECONNECTION", ...(saidSo && { responseCode: SHUTTING_DOWN }) });
    });
    const send = (): void => {
      ready = true;
      const envelope = { from: bareAddress(mail.from), to: [mail.to], size: mail.bytes.length };
      connection.send(envelope, mail.bytes, (error) => {
        if (error) fail(error);
        else end({ kind: "acknowledged" });
      });
    };
    connection.connect((error) => {
      const credentials = server.auth;
      if (error) fail(error);
      else if (credentials === undefined) send();
      else {
        connection.login({ credentials }, (error) => {
          if (error) fail(error);
          else send();
        });
      }
    });
  });
}

function outage({ code, responseCode }: Trouble): DeliveryResult {
  if (code === "ETLS")
    return {
      kind: "unavailable",
      code: "mail.tls_required",
      reason: "The mail server offers no TLS, and SMTP_URL has a password: nothing was sent",
    };
  const text = responseCode === undefined ? (code ?? "unknown") : String(responseCode);
  return {
    kind: "unavailable",
    code: "mail.server_unavailable",
    reason: `The mail server cannot be used now: ${text}`,
  };
}

function refused(error: Trouble): DeliveryResult {
  const { responseCode, command } = error;
  if (responseCode === undefined) {
    // The mail may have been taken: it goes out again under the same Message-ID.
    const timeout = error.code === "ETIMEDOUT";
    return {
      kind: "failed",
      code: timeout ? "mail.timeout" : "mail.connection_lost",
      reason: timeout ? "The mail server did not answer in time" : "The connection to the mail server was lost",
    };
  }
  if (responseCode === SHUTTING_DOWN) return outage(error);
  const code = `mail.smtp_${String(responseCode)}`;
  const reason = `The mail server answered ${String(responseCode)}${command === undefined ? "" : ` to ${command}`}`;
  // About our sender it says the same of every mail: an operator has to put it right, and no mail dies of it at once.
  const final = responseCode >= 500 && command !== "MAIL FROM";
  return { kind: final ? "rejected" : "failed", code, reason };
}
