import { AppError } from "@/domain/errors";
import type { ReceiveRequest } from "@/engine/inbox/receive";
import { UUID } from "@/domain/uuid";

/** An event whose sender is known, ready to be recorded. */
export interface IncomingEvent extends ReceiveRequest {
  readonly tenantId: string;
  /** Who sent it, for logs and lists. */
  readonly sender: string;
}

/** Names of sources in `POST /events/{source}`. */
export const EVENT_SOURCE = /^[a-z0-9][a-z0-9._-]{0,62}$/;
/** Ids and types that are safe in tables, logs and URLs. */
export const MESSAGE_ID = /^[\x21-\x7e]{1,255}$/;
const MAX_TYPE_LENGTH = 128;
/** A sender without a type of its own. */
const UNTYPED = "untyped";

/** @throws AppError `validation.event` 400 */
export function eventIdOf(text: unknown): string {
  if (typeof text === "string" && MESSAGE_ID.test(text)) return text;
  throw badEvent("The message id must be 1 to 255 visible ASCII characters.");
}

/** @throws AppError `validation.event` 400 */
export function eventTypeOf(type: unknown): string {
  if (type === undefined) return UNTYPED;
  if (typeof type === "string" && type !== "" && type.length <= MAX_TYPE_LENGTH) return type;
  throw badEvent(`The type must be a text of 1 to ${String(MAX_TYPE_LENGTH)} characters.`);
}

export function badEvent(detail: string): AppError {
  return new AppError("validation.event", 400, "This is not an event that can be recorded", {
    detail: `${detail} Nothing was recorded.`,
  });
}

/** @returns a member of an object by its path, or undefined where there is none. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    current = Object.hasOwn(current, name) ? (current as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return current;
}

/** @returns the operation that an event is about: our own events name it, a provider gives our metadata back. */
export function operationIdOf(payload: unknown): string | undefined {
  for (const found of [
    memberOf(payload, "data", "operationId"),
    memberOf(payload, "data", "metadata", "operationId"),
  ]) {
    if (typeof found === "string" && UUID.test(found)) return found.toLowerCase();
  }
  return undefined;
}
