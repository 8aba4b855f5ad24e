import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface CaughtMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, headers and all. */
  readonly raw: string;
  readonly messageId: string;
}

/** A mail server on this machine that keeps what it takes and refuses on demand. */
export interface MailCatcher {
  readonly url: string;
  readonly mails: readonly CaughtMail[];
  /** Whether each password that came was encrypted on its way. */
  readonly logins: readonly { readonly secure: boolean }[];
  /** What it says from now on: codes for the sender, the recipient and the content, or no answer at all to the content. */
  say(answers: { readonly mailFrom?: number; readonly rcptTo?: number; readonly data?: number | "nothing" }): void;
  close(): Promise<void>;
}

/**
 * @param options.user needs this user and this password when given; it offers STARTTLS then, with a certificate that nobody signed
 * @param options.plain offers no TLS all the same
 */
export async function startMailCatcher(
  options: { readonly user?: string; readonly password?: string; readonly port?: number; readonly plain?: true } = {},
): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const logins: { secure: boolean }[] = [];
  let answers: Parameters<MailCatcher["say"]>[0] = {};
  const refusal = (code: number): Error => Object.assign(new Error("refused by the test"), { responseCode: code });
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    disabledCommands: options.user === undefined || options.plain ? ["STARTTLS"] : [],
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth(auth, session, done) {
      logins.push({ secure: session.secure });
      const known = auth.username === options.user && auth.password === options.password;
      if (known) done(null, { user: auth.username });
      else done(refusal(535));
    },
    onMailFrom(_address, _session, done) {
      done(answers.mailFrom === undefined ? null : refusal(answers.mailFrom));
    },
    onRcptTo(_address, _session, done) {
      done(answers.rcptTo === undefined ? null : refusal(answers.rcptTo));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (typeof answers.data === "number") {
          done(refusal(answers.data));
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        const messageId = /^Message-ID:\s*(\S+)/im.exec(raw)?.[1] ?? "";
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          messageId,
        });
        // Taken, and the sender never hears of it.
        if (answers.data !== "nothing") done(null);
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const { user, password } = options;
  const login = user === undefined ? "" : `${user}:${password ?? ""}@`;
  const trust = user === undefined ? "" : "?tls.rejectUnauthorized=false";
  return {
    url: `smtp://${login}127.0.0.1:${String(port)}${trust}`,
    mails,
    logins,
    say: (next) => void (answers = next),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}
