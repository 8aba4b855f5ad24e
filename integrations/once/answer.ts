import { v7 as uuidv7 } from "uuid";
import { AppError } from "@/domain/errors";
import type { OutboxMessage } from "@/db/operations/complete";
import type { StoredResponse } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import { isKeptHeader } from "@/engine/execute/keep-settlement";
import type { Claim, ResourceName, Settlement } from "@/engine/execute/operation";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "@/engine/outbox/envelope";
import { currentTraceparent } from "@/engine/telemetry/telemetry";
import { UsageError } from "../usage-error";

/** What JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/** An event that becomes known with the answer: one row of the outbox, committed with it. */
export interface OnceMessage {
  readonly topic: string;
  /** `order.placed` … */
  readonly type: string;
  /** Messages of one aggregate are delivered in order. */
  readonly aggregate: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, Json | undefined>>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What the work answers. The first caller gets it, and every replay gets the same status, headers and bytes. */
export interface WorkAnswer {
  /** 200 by default. From 400 on it is a refusal: whether it is the answer of its key for good is up to the policy. */
  readonly status?: number | undefined;
  /** Bytes are kept as they are, a string as text, anything else as JSON. */
  readonly body?: Json | Uint8Array | undefined;
  /** `content-type`, `content-language`, `location` and `etag`: what a replay repeats. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What it made, e.g. `{ type: "order", id: "7" }`. */
  readonly resource?: ResourceName | undefined;
  readonly messages?: readonly OnceMessage[] | undefined;
  /** Of a refusal: its stable name, `stock.none_left`. */
  readonly code?: string | undefined;
}

/** RFC 9110, section 5.5: one line, in bytes that a Response takes. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const [OK, FIRST_REFUSAL, LAST_REFUSAL] = [200, 400, 499] as const;

/** @throws UsageError when the answer cannot be kept as it is */
export function settlementOf(ctx: EngineContext, claim: Claim, answer: WorkAnswer): Settlement {
  // What comes from JavaScript has no types to hold it.
  const given: unknown = answer;
  if (typeof given !== "object" || given === null)
    throw new UsageError("answer.value", "The work returned no answer: it is an object of status, headers and body.");
  if (isStream(answer))
    throw new UsageError(
      "answer.streaming",
      "A Response cannot be kept for the replay. Return its status, headers and body.",
    );
  const status = answer.status ?? OK;
  if (!Number.isInteger(status) || status < OK || status > LAST_REFUSAL)
    throw new UsageError(
      "answer.status",
      `${String(status)} cannot be the answer of a key: it must be 200 to 499. Throw what failed on your side.`,
    );
  const refused = status >= FIRST_REFUSAL;
  const code = answer.code ?? `http.${String(status)}`;
  return {
    state: refused ? "FAILED_REPLAYABLE" : "COMPLETED",
    response: { status, ...contentOf(answer) },
    resource: answer.resource,
    messages: answer.messages?.map((message) => outboxMessage(ctx, claim, message)),
    refusal: refused ? new AppError(code, status, "The command was refused") : undefined,
  };
}

function contentOf({ body, headers = {} }: WorkAnswer): Pick<StoredResponse, "headers" | "body"> {
  const kept = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const other = Object.keys(kept).find((name) => !isKeptHeader(name));
  if (other !== undefined)
    throw new UsageError("answer.header", `The header ${other} is not kept, so no replay would repeat it.`);
  const values: [string, unknown][] = Object.entries(kept);
  const broken = values.find(([, value]) => typeof value !== "string" || !HEADER_VALUE.test(value));
  if (broken !== undefined)
    throw new UsageError(
      "answer.header",
      `The header ${broken[0]} has a value that cannot be sent: one line of Latin characters.`,
    );
  if (body === undefined) return { headers: kept, body: Buffer.alloc(0) };
  const [type, bytes] = bytesOf(body);
  return { headers: { "content-type": type, ...kept }, body: bytes };
}

function bytesOf(body: Json | Uint8Array): [type: string, bytes: Buffer] {
  if (typeof body === "string") return ["text/plain; charset=utf-8", Buffer.from(body)];
  // A copy: what the caller does with its memory later must not change what is sealed.
  if (body instanceof Uint8Array) return ["application/octet-stream", Buffer.from(body)];
  if (isStream(body))
    throw new UsageError("answer.streaming", "A stream cannot be kept for the replay. Answer with its bytes.");
  return ["application/json", Buffer.from(jsonOf(body))];
}

function jsonOf(body: Json): string {
  let text: unknown;
  let reason = "it has no JSON";
  try {
    text = JSON.stringify(body);
  } catch (error) {
    if (error instanceof Error) reason = error.message;
  }
  if (typeof text === "string") return text;
  throw new UsageError("answer.value", `The body of the answer cannot be kept: ${reason}.`);
}

/** Streams of the web and of Node, responses, blobs, promises, and whatever else is read piece by piece. */
function isStream(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const reads = ["getReader", "pipe", "pipeTo", "arrayBuffer", "then"].some((name) => name in body);
  return reads || Symbol.asyncIterator in body || (Symbol.iterator in body && !Array.isArray(body));
}

function outboxMessage(ctx: EngineContext, claim: Claim, message: OnceMessage): OutboxMessage {
  const { type, topic, aggregate, data, headers } = message;
  const id = uuidv7();
  const traceparent = currentTraceparent() ?? ctx.traceparent;
  return {
    id,
    aggregateType: aggregate.type,
    aggregateId: aggregate.id,
    topic,
    type,
    payload: {
      id,
      type,
      occurredAt: new Date().toISOString(),
      tenant: ctx.tenantId,
      data: { operationId: claim.operationId, ...data },
    },
    headers: {
      [ENVELOPE_HEADER]: CLOUD_EVENTS,
      "request-id": ctx.requestId,
      ...(traceparent !== undefined && { traceparent }),
      ...headers,
    },
  };
}
