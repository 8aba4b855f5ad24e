import { z } from "zod";
import { clearEndedSignIns } from "@/db/statements/count-sign-in";
import { AppError } from "@/domain/errors";
import { ADDRESS_HEADER, AUTH_PATH, PASSWORD_MAX, type AuthCore } from "./library";
import { countAttempt } from "./sign-in-limit";

/** Bytes of a sign-in request; an e-mail and a password fit many times. */
const BODY_MAX_BYTES = 4_096;
const EMAIL_MAX = 254;

const credentials = z.object({
  email: z.string().min(1).max(EMAIL_MAX),
  password: z.string().min(1).max(PASSWORD_MAX),
});

/**
 * Signs an operator in. A wrong password, an unknown e-mail and a disabled operator get one and the same answer after the
 * same work.
 *
 * @param address of the caller, from the socket or a trusted proxy
 * @returns 204 with the session cookie; the token itself is never in a body
 * @throws AppError `validation.sign_in` (400), `auth.sign_in_failed` (401), `rate_limit.exceeded` (429)
 */
export async function signIn(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  const { email, password } = await readCredentials(request);
  const attempt = await countAttempt(auth, email, address);
  const answer = await auth.library.handler(
    new Request(new URL(`${AUTH_PATH}/sign-in/email`, auth.publicUrl), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": (request.headers.get("user-agent") ?? "").slice(0, 255),
        [ADDRESS_HEADER]: address ?? "",
      },
      // Only these two: other members of the body could lengthen the session or send the browser elsewhere.
      body: JSON.stringify({ email: email.trim(), password }),
    }),
  );
  if (answer.status >= 500) {
    throw new AppError("dependency.unavailable", 503, "Signing in does not work right now", {
      detail: "The sign-in could not be checked. Try again in a moment.",
      retryable: true,
      retryAfter: 2,
    });
  }
  if (!answer.ok) {
    throw new AppError("auth.sign_in_failed", 401, "E-mail or password is wrong", {
      detail: "No operator signs in with this e-mail and password.",
    });
  }
  await attempt.succeeded();
  await clearEndedSignIns(auth.db.pool);
  const headers = new Headers({ "cache-control": "no-store" });
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return new Response(null, { status: 204, headers });
}

async function readCredentials(request: Request): Promise<z.infer<typeof credentials>> {
  const text = await readAtMost(request, BODY_MAX_BYTES);
  let body: unknown;
  try {
    body = JSON.parse(text ?? "");
  } catch {
    body = undefined;
  }
  const parsed = credentials.safeParse(body);
  if (!parsed.success) {
    throw new AppError("validation.sign_in", 400, "Send an e-mail and a password", {
      detail: "The body is a JSON object with the texts email and password.",
    });
  }
  return parsed.data;
}

/** @returns the body's text, or undefined when it is longer. */
async function readAtMost(request: Request, bytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) break;
    size += next.value.byteLength;
    if (size > bytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}
