import type { StoredResponse } from "./answer";

/** @returns an answer in JSON as an operation keeps it: every replay has the same bytes. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): StoredResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}
