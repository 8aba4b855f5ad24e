import type { CallResult } from "../oracles/recorder";
import { madeBy, NO_RESULT } from "../call-result";
import type { Wish } from "../child/protocol";

const ANSWER_MS = 60_000;
const OUTCOMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "conflict",
  "idempotency.in_progress": "in_progress",
  "idempotency.outcome_unknown": "unknown",
  "idempotency.key_expired": "expired",
  "idempotency.response_purged": "purged",
};

/** Asks the API as a client would. @returns `lost` when no whole answer came */
export async function askApi(port: number, apiKey: string, wish: Wish): Promise<CallResult> {
  const { path, body } = routeOf(wish);
  try {
    const response = await fetch(`http://127.0.0.1:${String(port)}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "idempotency-key": wish.key, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return callResultOfResponse(response, Buffer.from(await response.arrayBuffer()));
  } catch {
    return { ...NO_RESULT, outcome: "lost" };
  }
}

function callResultOfResponse({ status, headers }: Response, body: Buffer): CallResult {
  const kept = headers.get("idempotency-status");
  const result = { ...NO_RESULT, status, operationId: headers.get("operation-id") ?? undefined };
  if (kept === "stored" || kept === "replayed") {
    const outcome = kept === "stored" ? "executed" : "replayed";
    return { ...result, outcome, ...madeBy(headers.get("location") ?? undefined, body) };
  }
  const code = codeOf(body);
  const outcome = OUTCOMES[code ?? ""] ?? (status >= 500 ? "error" : "refused");
  const isUnannounced = outcome === "in_progress" && !headers.has("retry-after");
  return { ...result, outcome: isUnannounced ? "in_progress without Retry-After" : outcome, code };
}

function codeOf(body: Buffer): string | undefined {
  try {
    const { code } = JSON.parse(body.toString()) as { code?: unknown };
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}

function routeOf({ operation, fields }: Wish): { path: string; body: Readonly<Record<string, unknown>> } {
  const { accountId, paymentId = "", currency = "EUR" } = fields;
  const amount = Number(fields["amountMinor"]);
  switch (operation) {
    case "payment":
      return { path: "payments", body: { accountId, amount, currency } };
    case "refund":
      return { path: "refunds", body: { paymentId, amount } };
    case "void":
      return { path: `payments/${paymentId}/void`, body: {} };
    case "account":
      return { path: "accounts", body: { accountId, currency } };
  }
}
