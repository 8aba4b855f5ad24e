import type { MapFact, MapFacts, MapView } from "../views/attachments";

/** A fact that one column is, as a form asks for it. */
export interface MapField {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean | undefined;
}

/** Facts of a table of keys that are one column each. */
export const KEY_FIELDS: readonly MapField[] = [
  { name: "key", label: "Key", required: true },
  { name: "tenant", label: "Tenant" },
  { name: "fingerprint", label: "Fingerprint of the request" },
  { name: "status", label: "Status" },
  { name: "httpStatus", label: "Status of the response" },
  { name: "response", label: "Response" },
  { name: "reference", label: "What the request made" },
  { name: "created", label: "Created" },
  { name: "updated", label: "Changed" },
  { name: "completed", label: "Completed" },
  { name: "lockedBy", label: "Locked by" },
  { name: "lockedAt", label: "Locked at" },
  { name: "lockedUntil", label: "Locked until" },
  { name: "expires", label: "Expires" },
  { name: "attempts", label: "Attempts" },
];

/** Facts of a table of keys that are several columns. */
export const KEY_LISTS: readonly MapField[] = [
  { name: "id", label: "Columns that name one row together", required: true },
  { name: "scope", label: "Operation: its name, or method and path" },
];

/** How a request that still runs shows. */
export const IN_FLIGHT: readonly { readonly value: string; readonly label: string }[] = [
  { value: "status", label: "its status says so" },
  { value: "no_response", label: "it has no response yet" },
  { value: "no_row", label: "it has no row yet" },
];

/** Facts of a table of messages that are one column each. */
export const MESSAGE_FIELDS: readonly MapField[] = [
  { name: "id", label: "Row", required: true },
  { name: "id_within", label: "Second column of the key, if it has two" },
  { name: "message_id", label: "Message id" },
  { name: "type", label: "Type" },
  { name: "destination", label: "Destination" },
  { name: "consumer", label: "Consumer" },
  { name: "order_key", label: "Ordering key" },
  { name: "tenant", label: "Tenant" },
  { name: "created_at", label: "Created or received" },
  { name: "available_at", label: "Next try" },
  { name: "sent_at", label: "When it was sent or handled" },
  { name: "sent_flag", label: "Whether it was sent or handled" },
  { name: "attempts", label: "Attempts" },
  { name: "last_error", label: "Last error" },
  { name: "payload", label: "Payload" },
  { name: "headers", label: "Headers" },
  { name: "locked_by", label: "Locked by" },
  { name: "locked_at", label: "Locked at" },
  { name: "locked_until", label: "Locked until" },
];

/** States that a status may stand for. */
export const KEY_STATES: readonly MapField[] = [
  { name: "in_progress", label: "In progress" },
  { name: "done", label: "Done" },
  { name: "failed", label: "Failed" },
];
export const MESSAGE_STATES: readonly MapField[] = [
  { name: "waiting", label: "Waiting" },
  { name: "in_progress", label: "In progress" },
  { name: "sent", label: "Sent or handled" },
  { name: "retrying", label: "Retrying" },
  { name: "dead", label: "Dead" },
];

/** @returns a map with one fact changed; an empty one is left out */
export function withFact(map: MapView, name: string, value: MapFact): MapView {
  const change = (facts: MapFacts): MapFacts => {
    const { [name]: _, ...others } = facts;
    return value === undefined || value === "" ? others : { ...others, [name]: value };
  };
  if (map.keys !== undefined) return { ...map, keys: change(map.keys) };
  return { ...map, messages: change(map.messages ?? {}) };
}

/** A map to begin with, of a table that looks like nothing. @param columns of it, by name */
export function emptyMap(table: string, kind: "keys" | "outbox" | "inbox", columns: readonly string[]): MapView {
  const [first = ""] = columns;
  return kind === "keys"
    ? { table, keys: { key: first, id: [first], inFlight: "no_row" } }
    : { table, messages: { kind, id: first } };
}

/** @returns the values that commas separate */
export function valuesIn(text: string): readonly string[] {
  return text.split(",").flatMap((value) => value.trim() || []);
}

/** @returns the columns of a fact that may be several */
export function columnsIn(fact: MapFact): readonly string[] {
  return Array.isArray(fact) ? (fact as readonly string[]) : [];
}

/** @returns the parts of a fact that has some: of a status what stands for which state */
export function partsIn(fact: MapFact): Readonly<Record<string, string | number | readonly string[] | undefined>> {
  return typeof fact === "object" && !Array.isArray(fact) ? (fact as Readonly<Record<string, string>>) : {};
}
