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
  try {
    const answer = await post("/api/auth/sign-in/email", { email, password });
    if (answer.status === 200) return "code";
    return answer.ok ? "in" : problemOf(answer.status, await memberOf(answer, "detail"));
  } catch {
    return { text: NOT_NOW, field: "password", invalid: [] };
  }
}

/** The second step, for somebody with a second factor. Never throws. */
export async function sendCode(code: string): Promise<SignInAnswer> {
  if (code.trim() === "") return { text: "The code is missing.", field: "code", invalid: ["code"] };
  try {
    const answer = await post("/api/auth/sign-in/code", { code: code.trim() });
    if (answer.ok) return "in";
    const body = (await answer.json().catch(() => ({}))) as { readonly code?: unknown; readonly detail?: unknown };
    const text = typeof body.detail === "string" ? body.detail : NOT_NOW;
    if (body.code === "auth.sign_in_over") return { text, field: "email", invalid: [], over: true };
    const said = body.code === "auth.code_wrong" ? `The code is wrong. ${text}` : text;
    return { text: said, field: "code", invalid: ["code"] };
  } catch {
    return { text: NOT_NOW, field: "code", invalid: [] };
  }
}

/** @returns where the browser goes to sign in elsewhere; undefined when that does not work right now */
export async function beginElsewhere(next: string): Promise<string | undefined> {
  try {
    const answer = await post("/api/auth/sign-in/oidc", { next });
    return answer.ok ? await memberOf(answer, "url") : undefined;
  } catch {
    return undefined;
  }
}

/** Chooses a password by a link. @returns what went wrong, or the e-mail to sign in with */
export async function sendJoin(token: string, password: string): Promise<{ email: string } | { problem: string }> {
  try {
    const answer = await post("/api/auth/join", { token, password });
    const text = await memberOf(answer, answer.ok ? "email" : "detail");
    return answer.ok ? { email: text ?? "" } : { problem: text ?? NOT_NOW };
  } catch {
    return { problem: "No answer came back. Try again in a moment." };
  }
}

function post(path: string, body: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

function problemOf(status: number, detail: string | undefined): SignInProblem {
  if (status === 401) {
    return { text: "E-mail or password is wrong.", field: "password", invalid: ["email", "password"] };
  }
  if (status === 429) {
    return { text: `Too many attempts. ${detail ?? "Try again in 15 minutes."}`, field: "password", invalid: [] };
  }
  return { text: detail ?? NOT_NOW, field: "password", invalid: [] };
}

/** A text member of the answer, when it is an object with one. */
async function memberOf(answer: Response, name: string): Promise<string | undefined> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (typeof body !== "object" || body === null) return undefined;
  const value = new Map<string, unknown>(Object.entries(body)).get(name);
  return typeof value === "string" ? value : undefined;
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
