import { askOwn } from "@/components/ui/base-path";

export interface JsonAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  /** Undefined where the answer is no JSON object: then it may be of somebody in between. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

const TIMEOUT_MS = 30_000;

/** Sends a body to our API. Never throws. @returns undefined when no answer came in time */
export async function postJson(
  path: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<JsonAnswer | undefined> {
  try {
    const response = await askOwn(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answered: unknown = await response.json().catch(() => undefined);
    const isObject = typeof answered === "object" && answered !== null;
    const { status, ok } = response;
    return { status, ok, headers: response.headers, body: isObject ? { ...answered } : undefined };
  } catch {
    return undefined;
  }
}

/** @returns the first of these members that is a text */
export function memberText(answer: JsonAnswer | undefined, ...members: readonly string[]): string | undefined {
  return members.map((member) => answer?.body?.[member]).find((text) => typeof text === "string");
}
