type Field = "email" | "password";

/** What the form says, where the cursor goes, and which fields are marked. */
export interface SignInProblem {
  readonly text: string;
  readonly field: Field;
  readonly invalid: readonly Field[];
}

const NOT_NOW = "The sign-in was not answered. Try again in a moment.";

/** @returns undefined when the session is there, else what to say. Never throws. */
export async function sendSignIn(email: string, password: string): Promise<SignInProblem | undefined> {
  if (email.trim() === "") return { text: "The e-mail is missing.", field: "email", invalid: ["email"] };
  if (password === "") return { text: "The password is missing.", field: "password", invalid: ["password"] };
  try {
    const answer = await fetch("/api/auth/sign-in/email", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    return answer.ok ? undefined : problemOf(answer.status, await detailOf(answer));
  } catch {
    return { text: NOT_NOW, field: "password", invalid: [] };
  }
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

/** The `detail` of a problem document, when the answer is one. */
async function detailOf(answer: Response): Promise<string | undefined> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (typeof body !== "object" || body === null || !("detail" in body)) return undefined;
  return typeof body.detail === "string" ? body.detail : undefined;
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
