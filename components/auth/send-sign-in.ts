export type SignInField = "email" | "password" | "code";

/** What the form says, where the cursor goes, and which fields are marked. */
export interface SignInProblem {
  readonly text: string;
  readonly field: SignInField;
  readonly invalid: readonly SignInField[];
  /** The first step is needed again. */
  readonly over?: boolean | undefined;
}

/** The session is there, a code is asked for, or what went wrong. */
export type SignInAnswer = "in" | "code" | SignInProblem;

const NOT_NOW = "The sign-in was not answered. Try again in a moment.";

/** The first step. Never throws. */
export async function sendSignIn(email: string, password: string): Promise<SignInAnswer> {
  if (email.trim() === "") return { text: "The e-mail is missing.", field: "email", invalid: ["email"] };
  if (password === "") return { text: "The password is missing.", field: "password", invalid: ["password"] };
  const { status, ok, member } = await post("/api/auth/sign-in/email", { email, password });
  if (ok) return status === 200 ? "code" : "in";
  if (status === 401) {
    return { text: "E-mail or password is wrong.", field: "password", invalid: ["email", "password"] };
  }
  const detail = member("detail");
  const text = status === 429 ? `Too many attempts. ${detail ?? "Try again in 15 minutes."}` : (detail ?? NOT_NOW);
  return { text, field: "password", invalid: [] };
}

/** The second step, for somebody with a second factor. Never throws. */
export async function sendCode(code: string): Promise<SignInAnswer> {
  if (code.trim() === "") return { text: "The code is missing.", field: "code", invalid: ["code"] };
  const { status, ok, member } = await post("/api/auth/sign-in/code", { code: code.trim() });
  if (ok) return "in";
  const text = member("detail") ?? NOT_NOW;
  if (member("code") === "auth.sign_in_over") return { text, field: "email", invalid: [], over: true };
  const message = member("code") === "auth.code_wrong" ? `The code is wrong. ${text}` : text;
  return { text: message, field: "code", invalid: status === UNANSWERED ? [] : ["code"] };
}

/** @returns where the browser goes to sign in elsewhere; undefined when that does not work right now */
export async function beginElsewhere(next: string): Promise<string | undefined> {
  const { ok, member } = await post("/api/auth/sign-in/oidc", { next });
  return ok ? member("url") : undefined;
}

/** Chooses a password by a link. @returns what went wrong, or the e-mail to sign in with */
export async function sendJoin(token: string, password: string): Promise<{ email: string } | { problem: string }> {
  const { status, ok, member } = await post("/api/auth/join", { token, password });
  if (ok) return { email: member("email") ?? "" };
  return {
    problem: status === UNANSWERED ? "No answer came back. Try again in a moment." : (member("detail") ?? NOT_NOW),
  };
}

/** Status of a request to which no answer came. */
const UNANSWERED = 0;

interface AuthAnswer {
  readonly status: number;
  readonly ok: boolean;
  /** A text of the answer's body, where it has one of that name. */
  readonly member: (name: string) => string | undefined;
}

/** Never throws. */
async function post(path: string, sent: Readonly<Record<string, string>>): Promise<AuthAnswer> {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(sent),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    const members = new Map<string, unknown>(Object.entries(body ?? {}));
    const member = (name: string): string | undefined => {
      const value = members.get(name);
      return typeof value === "string" ? value : undefined;
    };
    return { status: answer.status, ok: answer.ok, member };
  } catch {
    return { status: UNANSWERED, ok: false, member: () => undefined };
  }
}

/** @returns whether this browser has a live session; false when nobody can tell. */
export async function signedInAlready(signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch("/api/auth/get-session", { signal });
    const body: unknown = answer.ok ? await answer.json() : undefined;
    return typeof body === "object" && body !== null && "operator" in body && body.operator !== null;
  } catch {
    return false;
  }
}
