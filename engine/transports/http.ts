import { outboxContentType } from "../envelope";
import { OWN_SOURCE } from "../event-source";
import type { DeliveryResult, OutboxDelivery, Transport } from "../transport";
import { createSigner, type SignatureHeaders } from "./sign";

/** Bytes of an answer that are read: enough for a problem document's code. */
const ANSWER_LIMIT_BYTES = 8_192;
/** Requests of one topic under way at once. */
const CONCURRENCY = 8;
const MISMATCH_CODE = "payload_mismatch";

export interface HttpTransportOptions {
  /** @returns where messages of a topic of a tenant go. */
  readonly destination: (tenantId: string, topic: string) => string;
  readonly now?: () => Date;
}

/** @returns the destination of every topic when none is set: our own inbox. @param base origin of the API */
export function ownInbox(base: string): HttpTransportOptions["destination"] {
  const url = new URL(`/api/v1/events/${OWN_SOURCE}`, base);
  return (tenantId) => {
    url.searchParams.set("tenant", tenantId);
    return url.toString();
  };
}

/**
 * Delivers over HTTP, signed as Standard Webhooks want it: `webhook-id` is the message's id on every resend. 2xx
 * acknowledges; 409 `…payload_mismatch` is final, because the same bytes will never be taken; everything else comes again.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const signer = createSigner(options);
  return {
    name: "http",
    concurrency: CONCURRENCY,
    async deliver(ctx, delivery, { timeoutMs, destination }) {
      const url = destination ?? options.destination(ctx.tenantId, delivery.topic);
      return post(url, await signer.sign(ctx, delivery), delivery, timeoutMs);
    },
    close: () => Promise.resolve(),
  };
}

async function post(
  url: string,
  signature: SignatureHeaders,
  delivery: OutboxDelivery,
  timeoutMs: number,
): Promise<DeliveryResult> {
  const { traceparent } = delivery.headers;
  try {
    const response = await fetch(url, {
      method: "POST",
      body: delivery.body,
      redirect: "error",
      headers: {
        "content-type": outboxContentType(delivery.headers),
        ...signature,
        ...(typeof traceparent === "string" && { traceparent }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readSome(response);
    if (response.ok) return { kind: "acknowledged" };
    const code = `delivery.http_${String(response.status)}`;
    if (response.status === 409 && text.includes(MISMATCH_CODE)) {
      return {
        kind: "rejected",
        code: `delivery.${MISMATCH_CODE}`,
        reason: "The destination holds another payload under this message id",
      };
    }
    return { kind: "failed", code, reason: `The destination answered ${String(response.status)}` };
  } catch (error) {
    return unreachable(error);
  }
}

async function readSome(response: Response): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop gives the rest of a long answer up.
    if (size >= ANSWER_LIMIT_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function unreachable(error: unknown): DeliveryResult {
  if (error instanceof Error && error.name === "TimeoutError") {
    return { kind: "failed", code: "delivery.timeout", reason: "The destination did not answer in time" };
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "connection lost";
  return { kind: "failed", code: "delivery.unreachable", reason: `The destination could not be reached: ${code}` };
}
