import { createHash } from "node:crypto";
import type { Context } from "hono";
import { canonicalize, type CanonicalValue } from "@/domain/idempotency/canonical";
import { AppError } from "@/domain/errors";
import { MESSAGE_ID, OWN_SOURCE } from "@/engine/inbox/event-source";
import { decodeUtf8, parseJson } from "../body/parse-json";
import { readBytes } from "../body/read-bytes";
import { unsupported } from "../body/read-json";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import type { Services } from "../services";
import { memberOf } from "@/engine/inbox/arrival-members";
import { badEvent, eventIdOf, eventTypeOf, type IncomingEvent } from "./incoming-event";

const STRUCTURED = /^application\/cloudevents\+json[ \t]*(?:;|$)/i;
const JSON_DATA = /^application\/(?:[a-z0-9.-]+\+)?json[ \t]*(?:;|$)/i;
const SPEC_VERSION = "1.0";
const MAX_ATTRIBUTE_LENGTH = 256;
const PREFIX = "ce-";
const ATTRIBUTE_NAME = /^[a-z0-9]{1,64}$/;
/** Not allowed in an attribute by CloudEvents, and the first of them in no text of the database. */
const CONTROL = /[\0-\x1f\x7f-\x9f]|\p{Surrogate}/u;
/** What an event has that names no other content type. */
const DEFAULT_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

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
 * event, whichever mode it came in, and the same event is a duplicate in either mode.
 *
 * @throws AppError `auth.…` 401 or 403, `validation.…` 400, 413 or 415; nothing is recorded
 */
export async function readCloudEvent(c: Context<ApiEnv>, services: Services, source: string): Promise<IncomingEvent> {
  const client = await requireClient(c, ["events"]);
  // What these say may move money, so they come signed with their own secret only.
  if (source === OWN_SOURCE || services.deps.modules.signedOnly.has(source)) {
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
  const event = structured ? body : { ...attributesOf(c, type), data: body };
  if (memberOf(event, "specversion") !== SPEC_VERSION) throw badEvent(`specversion must be "${SPEC_VERSION}".`);
  const eventSource = memberOf(event, "source");
  if (typeof eventSource !== "string" || eventSource === "" || eventSource.length > MAX_ATTRIBUTE_LENGTH) {
    throw badEvent("A CloudEvent has a source.");
  }
  if (memberOf(event, "type") === undefined) throw badEvent("A CloudEvent has a type.");
  const messageId = eventIdOf(memberOf(event, "id"));
  return {
    tenantId: client.tenantId,
    sender: client.name,
    source,
    messageId: dedupeKey(source, eventSource, messageId),
    type: eventTypeOf(memberOf(event, "type")),
    payload: event,
    payloadBytes: comparedBytes(event),
    headers: { "content-type": type, "ce-source": eventSource, "ce-id": messageId },
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

/** Every attribute of the binary mode, extensions too; the content type of the body is the attribute `datacontenttype`. */
function attributesOf(c: Context<ApiEnv>, contentType: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  c.req.raw.headers.forEach((value, header) => {
    if (!header.startsWith(PREFIX)) return;
    const name = header.slice(PREFIX.length);
    if (name === "data" || !ATTRIBUTE_NAME.test(name)) throw badEvent(`${header} is not the name of an attribute.`);
    attributes[name] = decoded(value);
  });
  return contentType === "" ? attributes : { ...attributes, datacontenttype: contentType };
}

/**
 * What makes an event the same one, however it was written: attributes as the texts that they are in headers, the data as it is
 * read, members in one order, and a content type only where it is not the usual one.
 */
function comparedBytes(event: unknown): Buffer {
  const {
    data,
    data_base64: encoded,
    datacontenttype: type,
    ...attributes
  } = event as Readonly<Record<string, unknown>>;
  const texts = Object.entries(attributes).map(([name, value]) => [name, attributeText(value)]);
  const contentType = typeof type === "string" && !DEFAULT_TYPE.test(type) ? type : undefined;
  const content = data === undefined && typeof encoded === "string" ? encodedData(encoded) : { data, encoded };
  const compared = { attributes: Object.fromEntries(texts) as unknown, contentType, ...content };
  return Buffer.from(canonicalize(compared as CanonicalValue));
}

/** A number or a truth value is a text in a header; null is no attribute. */
function attributeText(value: unknown): unknown {
  if (value === null) return undefined;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** JSON may also travel as `data_base64`. */
function encodedData(encoded: string): { readonly data?: unknown; readonly encoded?: string } {
  try {
    return { data: JSON.parse(Buffer.from(encoded, "base64").toString()) as unknown };
  } catch {
    return { encoded };
  }
}

/** Attributes travel percent-encoded in headers. */
function decoded(value: string): string {
  let text: string;
  try {
    text = decodeURIComponent(value);
  } catch {
    throw badEvent("A ce- header is not percent-encoded correctly.");
  }
  if (CONTROL.test(text)) throw badEvent("An attribute holds a control character.");
  return text;
}
