import { createHash } from "node:crypto";
import type { Context } from "hono";
import { AppError } from "@/domain/errors";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { decodeUtf8, parseJson } from "../body/parse-json";
import { readBytes } from "../body/read-bytes";
import { unsupported } from "../body/read-json";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import type { Services } from "../services";
import { badEvent, memberOf, MESSAGE_ID, messageIdOf, operationIdOf, typeOf, type Arrival } from "./arrival";

const STRUCTURED = /^application\/cloudevents\+json[ \t]*(?:;|$)/i;
const JSON_DATA = /^application\/(?:[a-z0-9.-]+\+)?json[ \t]*(?:;|$)/i;
const SPEC_VERSION = "1.0";
/** What these say moves money, so they come signed with their own secret only. */
const SIGNED_ONLY = new Set([OWN_SOURCE, "provider", "sandbox"]);
const MAX_ATTRIBUTE_LENGTH = 256;

/** Is this request a CloudEvent, in one body (structured) or with its attributes in headers (binary), that comes without a signature? */
export function isCloudEvent(c: Context<ApiEnv>): boolean {
  // Whatever its body is: a signature speaks for the bytes, and headers beside it say nothing.
  if (c.req.header("webhook-signature") !== undefined) return false;
  return (
    c.req.header("ce-specversion") !== undefined ||
    /^application\/cloudevents/i.test(c.req.header("content-type") ?? "")
  );
}

/**
 * A CloudEvent from a client with an API key of scope `events`; its tenant is the key's. The kept payload is the whole
 * event, whichever mode it came in.
 *
 * @throws AppError `auth.…` 401 or 403, `validation.…` 400, 413 or 415; nothing is recorded
 */
export async function readCloudEvent(c: Context<ApiEnv>, services: Services, source: string): Promise<Arrival> {
  const client = await requireClient(c, "events.send");
  if (SIGNED_ONLY.has(source)) {
    throw new AppError("auth.forbidden", 403, "This source sends signed events only", {
      detail: "An API key cannot speak for it. Nothing was recorded.",
    });
  }
  services.limiters.calls.take(client.keyId);
  const type = c.req.header("content-type") ?? "";
  const structured = /^application\/cloudevents/i.test(type);
  if (structured && !STRUCTURED.test(type))
    throw unsupported("A batch or another format of CloudEvents is not accepted.");
  if (!structured && type !== "" && !JSON_DATA.test(type)) throw unsupported("The data of a CloudEvent must be JSON.");
  const bytes = await readBytes(c.req.raw);
  const body = bytes.length === 0 ? undefined : parseJson(decodeUtf8(bytes)).value;
  const event = structured ? body : { ...attributesOf(c), data: body };
  if (memberOf(event, "specversion") !== SPEC_VERSION) throw badEvent(`specversion must be "${SPEC_VERSION}".`);
  const eventSource = memberOf(event, "source");
  if (typeof eventSource !== "string" || eventSource === "" || eventSource.length > MAX_ATTRIBUTE_LENGTH) {
    throw badEvent("A CloudEvent has a source.");
  }
  if (memberOf(event, "type") === undefined) throw badEvent("A CloudEvent has a type.");
  const messageId = messageIdOf(memberOf(event, "id"));
  return {
    tenantId: client.tenantId,
    sender: client.name,
    source,
    messageId: dedupeKey(source, eventSource, messageId),
    type: typeOf(memberOf(event, "type")),
    payload: event,
    payloadBytes: bytes,
    headers: { "content-type": type, "ce-source": eventSource, "ce-id": messageId },
    operationId: operationIdOf(event),
  };
}

/**
 * A CloudEvent is named by its source and its id together (CloudEvents 1.0, "id"): two producers behind one route may both have
 * an id 1. The id alone where the event's source is the route's own.
 */
function dedupeKey(source: string, eventSource: string, id: string): string {
  if (eventSource === source || eventSource === `/${source}`) return id;
  const key = `${eventSource}#${id}`;
  return MESSAGE_ID.test(key) ? key : `sha256:${createHash("sha256").update(key).digest("hex")}`;
}

function attributesOf(c: Context<ApiEnv>): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const name of ["specversion", "id", "source", "type", "time", "subject", "dataschema"]) {
    const value = c.req.header(`ce-${name}`);
    if (value !== undefined) attributes[name] = decoded(value);
  }
  return attributes;
}

/** Attributes travel percent-encoded in headers. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw badEvent("A ce- header is not percent-encoded correctly.");
  }
}
