import { askOwn } from "@/components/ui/base-path";
import { memberText, postJson } from "@/components/feedback/post-json";

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

/** None at all, or one of somebody in between. */
const NO_ANSWER = "No usable answer came back. Try again in a moment.";

/** The first step. Never throws. */
export async function sendSignIn(email: string, password: string): Promise<SignInAnswer> {
  if (email.trim() === "") return { text: "The e-mail is missing.", field: "email", invalid: ["email"] };
  if (password === "") return { text: "The password is missing.", field: "password", invalid: ["password"] };
  const answer = await postJson("/api/auth/sign-in/email", { email, password });
  if (answer?.ok === true) return answer.status === 200 ? "code" : "in";
  if (answer?.status === 401) {
    return { text: "E-mail or password is wrong.", field: "password", invalid: ["email", "password"] };
  }
  const detail = memberText(answer, "detail");
  const text = answer?.status === 429 ? `Too many attempts. ${detail ?? "Try again later."}` : (detail ?? NO_ANSWER);
  return { text, field: "password", invalid: [] };
}

/** The second step, for somebody with a second factor. Never throws. */
export async function sendCode(code: string): Promise<SignInAnswer> {
  if (code.trim() === "") return { text: "The code is missing.", field: "code", invalid: ["code"] };
  const answer = await postJson("/api/auth/sign-in/code", { code: code.trim() });
  if (answer?.ok === true) return "in";
  const text = memberText(answer, "detail") ?? NO_ANSWER;
  const why = memberText(answer, "code");
  if (why === "auth.sign_in_over") return { text, field: "email", invalid: [], over: true };
  const message = why === "auth.code_wrong" ? `The code is wrong. ${text}` : text;
  return { text: message, field: "code", invalid: answer === undefined ? [] : ["code"] };
}

/** @returns where the browser goes to sign in elsewhere; undefined when that does not work right now */
export async function beginElsewhere(next: string): Promise<string | undefined> {
  const answer = await postJson("/api/auth/sign-in/oidc", { next });
  return answer?.ok === true ? memberText(answer, "url") : undefined;
}

export type LinkState = "open" | "over" | "not known";

/** @returns whether a link still opens; "not known" when nobody can tell, so that the form says it. Never throws. */
export async function askAboutLink(token: string): Promise<LinkState> {
  if (token === "") return "over";
  const answer = await postJson("/api/auth/join/check", { token });
  if (answer?.ok === true) return "open";
  return memberText(answer, "code") === "auth.link_over" ? "over" : "not known";
}

/** Chooses a password by a link. @returns what went wrong, or the e-mail to sign in with */
export async function sendJoin(token: string, password: string): Promise<{ email: string } | { problem: string }> {
  const answer = await postJson("/api/auth/join", { token, password });
  return answer?.ok === true
    ? { email: memberText(answer, "email") ?? "" }
    : { problem: memberText(answer, "detail") ?? NO_ANSWER };
}

/** @returns whether this browser has a live session; false when nobody can tell. */
export async function signedInAlready(signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await askOwn("/api/auth/get-session", { signal });
    const body: unknown = answer.ok ? await answer.json() : undefined;
    return typeof body === "object" && body !== null && "operator" in body && body.operator !== null;
  } catch {
    return false;
  }
}
