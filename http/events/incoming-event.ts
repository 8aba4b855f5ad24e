import { AppError } from "@/domain/errors";
import { MAX_TYPE_LENGTH, MESSAGE_ID, UNTYPED } from "@/engine/inbox/event-source";
import type { ReceiveRequest } from "@/engine/inbox/receive";

/** An event whose sender is known, ready to be recorded. */
export interface IncomingEvent extends ReceiveRequest {
  readonly tenantId: string;
  /** Who sent it, for logs and lists. */
  readonly sender: string;
}

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
