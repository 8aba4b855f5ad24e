import { createHash } from "node:crypto";
import { type Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { CallResult } from "@/db/checks/oracles/recorder";
import { NO_RESULT, type Wish } from "../child/protocol";

interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const HOST = "127.0.0.1";
const ANSWER_MS = 60_000;
const LOCATION = /^\/api\/v1\/(payment|refund|account)s\/(.+)$/;
const OUTCOMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "conflict",
  "idempotency.in_progress": "in_progress",
  "idempotency.outcome_unknown": "unknown",
  "idempotency.key_expired": "expired",
  "idempotency.response_purged": "purged",
};

/** Asks the API as a client would. @returns `lost` when no whole answer came */
export async function askApi(port: number, apiKey: string, wish: Wish, agent?: Agent): Promise<CallResult> {
  try {
    return callResultOfResponse(await post(port, apiKey, wish, agent));
  } catch {
    return { ...NO_RESULT, outcome: "lost" };
  }
}

function callResultOfResponse({ status, headers, body }: HttpAnswer): CallResult {
  const kept = headers["idempotency-status"];
  const [, resourceType, resourceId] = LOCATION.exec(headers.location ?? "") ?? [];
  const operationId = typeof headers["operation-id"] === "string" ? headers["operation-id"] : undefined;
  const result = { ...NO_RESULT, status, operationId };
  if (kept === "stored" || kept === "replayed") {
    const bodyHash = createHash("sha256").update(body).digest("hex");
    return { ...result, outcome: kept === "stored" ? "executed" : "replayed", bodyHash, resourceType, resourceId };
  }
  const code = codeOf(body);
  const outcome = OUTCOMES[code ?? ""] ?? (status >= 500 ? "error" : "refused");
  const isUnannounced = outcome === "in_progress" && headers["retry-after"] === undefined;
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

function post(port: number, apiKey: string, wish: Wish, agent: Agent | undefined): Promise<HttpAnswer> {
  const { path, body } = routeOf(wish);
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: HOST,
      port,
      path,
      method: "POST",
      timeout: ANSWER_MS,
      ...(agent && { agent }),
      headers: {
        authorization: `Bearer ${apiKey}`,
        "idempotency-key": wish.key,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      },
    });
    request.once("error", reject);
    request.once("timeout", () => request.destroy(new Error("no answer in time")));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.end(text);
  });
}

function routeOf({ operation, fields }: Wish): { path: string; body: Readonly<Record<string, unknown>> } {
  const amount = Number(fields["amountMinor"]);
  switch (operation) {
    case "payment":
      return { path: "/api/v1/payments", body: { accountId: fields["accountId"], amount, currency: "EUR" } };
    case "refund":
      return { path: "/api/v1/refunds", body: { paymentId: fields["paymentId"], amount } };
    case "void":
      return { path: `/api/v1/payments/${fields["paymentId"] ?? ""}/void`, body: {} };
    case "account":
      return { path: "/api/v1/accounts", body: { accountId: fields["accountId"], currency: fields["currency"] } };
  }
}
