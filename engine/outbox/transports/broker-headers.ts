import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { CORRECTS_HEADER, outboxContentType } from "../envelope";
import type { EngineContext } from "@/engine/context";
import type { OutboxDelivery } from "../transport";
import type { Signer } from "./sign";

/** Headers of a message on a broker, beside those of Standard Webhooks: whose secret holds the signature. */
export const TENANT_HEADER = "onceboard-tenant";
export const SOURCE_HEADER = "onceboard-source";

/** @returns the headers that a consumer verifies by and goes on with, small letters all. */
export async function brokerHeaders(
  ctx: EngineContext,
  signer: Signer,
  delivery: OutboxDelivery,
): Promise<Record<string, string>> {
  const { traceparent, corrects } = delivery.headers;
  return {
    ...(await signer.sign(ctx, delivery)),
    [TENANT_HEADER]: ctx.tenantId,
    [SOURCE_HEADER]: OWN_SOURCE,
    "content-type": outboxContentType(delivery.headers),
    ...(typeof traceparent === "string" && { traceparent }),
    ...(typeof corrects === "string" && { [CORRECTS_HEADER]: corrects }),
  };
}

/** @returns a name that is one word for brokers: what is no letter, digit, dash or underline becomes an underline. */
export function word(text: string): string {
  return text.replace(/[^\w-]/g, "_") || "_";
}
