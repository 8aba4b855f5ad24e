import { CORRECTS_HEADER, outboxContentType } from "../envelope";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import type { DeliveryResult, OutboxDelivery, Transport } from "../transport";
import { reasonOf } from "./link";
import { createPoster, type PostAnswer, type PostRequest } from "./post";
import { destinationProblem } from "./safe-destination";
import { badDestination } from "./delivery-results";
import { createSigner, type SignatureHeaders, type Signer } from "./sign";

/** Bytes of an answer that are read: enough for a problem document's code. */
const ANSWER_LIMIT_BYTES = 8_192;
/** Requests of one topic under way at once. */
const CONCURRENCY = 8;
const CONFLICT = 409;
const MISMATCH_CODE = "payload_mismatch";

export interface HttpTransportOptions {
  /** @returns where messages of a topic of a tenant go; it is the deployment's own and trusted. */
  readonly destination: (tenantId: string, topic: string) => string;
  /** WEBHOOK_ALLOW_PRIVATE: what an operator set may be plain http and an address inside. */
  readonly allowPrivate?: boolean;
  /** Of all transports of a process, so that secrets are read once. */
  readonly signer?: Signer;
}

/** @returns the destination of every topic when none is set: our own inbox. @param base address of the API: origin and base path */
export function ownInbox(base: string): HttpTransportOptions["destination"] {
  const url = new URL(`${base}/api/v1/events/${OWN_SOURCE}`);
  return (tenantId) => {
    url.searchParams.set("tenant", tenantId);
    return url.toString();
  };
}

/**
 * Delivers over HTTP, signed as Standard Webhooks want it: `webhook-id` is the message's id on every resend. 2xx
 * acknowledges; 409 `…payload_mismatch` is final, because the same bytes will never be taken; everything else comes again. A
 * destination that an operator set is somebody's choice, so it never leads inside; as long as it would, its topic rests.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const allowPrivate = options.allowPrivate ?? false;
  const signer = options.signer ?? createSigner();
  const poster = createPoster({ allowPrivate });
  return {
    name: "http",
    concurrency: CONCURRENCY,
    async deliver(ctx, delivery, { timeoutMs, destination }) {
      const headers = headersOf(delivery, await signer.sign(ctx, delivery));
      const request = { body: delivery.body, headers, timeoutMs, readOf: CONFLICT };
      if (destination === undefined)
        return resultOfPost(() => toOwn(options.destination(ctx.tenantId, delivery.topic), request));
      const url = URL.canParse(destination) ? new URL(destination) : undefined;
      const problem = url === undefined ? "It is not a whole URL." : destinationProblem(url, { allowPrivate });
      if (url === undefined || problem !== undefined) return badDestination(`Nothing is sent there. ${problem ?? ""}`);
      return resultOfPost(() => poster.post(url, request));
    },
    close() {
      poster.close();
      return Promise.resolve();
    },
  };
}

function headersOf(delivery: OutboxDelivery, signature: SignatureHeaders): Readonly<Record<string, string>> {
  const { traceparent, corrects } = delivery.headers;
  return {
    "content-type": outboxContentType(delivery.headers),
    ...signature,
    ...(typeof traceparent === "string" && { traceparent }),
    ...(typeof corrects === "string" && { [CORRECTS_HEADER]: corrects }),
  };
}

async function toOwn(url: string, { body, headers, timeoutMs }: PostRequest): Promise<PostAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: "POST", body, redirect: "error", headers, signal });
  return { status: response.status, text: await readSome(response) };
}

async function resultOfPost(post: () => Promise<PostAnswer>): Promise<DeliveryResult> {
  try {
    const { status, text } = await post();
    if (status >= 200 && status < 300) return { kind: "acknowledged" };
    if (status === CONFLICT && text.includes(MISMATCH_CODE)) {
      return {
        kind: "rejected",
        code: `delivery.${MISMATCH_CODE}`,
        reason: "The destination holds another payload under this message id",
      };
    }
    const code = `delivery.http_${String(status)}`;
    return { kind: "failed", code, reason: `The destination answered ${String(status)}` };
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
  const code = error instanceof Error && error.name === "TimeoutError" ? "ETIMEDOUT" : reasonOf(error);
  switch (code) {
    case "ETIMEDOUT":
      return { kind: "failed", code: "delivery.timeout", reason: "The destination did not answer in time" };
    case "EUNSAFE":
      return badDestination("Nothing is sent there. Its name leads to an address that is not on the open internet.");
    default:
      return { kind: "failed", code: "delivery.unreachable", reason: `The destination could not be reached: ${code}` };
  }
}
