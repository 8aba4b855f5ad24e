/** What the set-up shows, this once. */
export interface Start {
  readonly secret: string;
  readonly qr: { readonly size: number; readonly path: string };
  readonly backupCodes: readonly string[];
}

type TwoFactorAnswer<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/** One step of the second factor; what it sends and gets is kept nowhere but in the page. Never throws. */
export async function sendTwoFactor<Value>(
  step: "start" | "confirm" | "stop",
  tenant: string,
  body: Readonly<Record<string, string>>,
): Promise<TwoFactorAnswer<Value>> {
  try {
    const answer = await fetch(`/api/v1/admin/two-factor/${step}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "onceboard-tenant": tenant },
      body: JSON.stringify(body),
    });
    const result = (await answer.json()) as Value & { readonly detail?: unknown };
    if (answer.ok) return { ok: true, value: result };
    return { ok: false, problem: typeof result.detail === "string" ? result.detail : "It was not accepted." };
  } catch {
    return { ok: false, problem: "No answer came back. Load the page again to see what is on." };
  }
}
