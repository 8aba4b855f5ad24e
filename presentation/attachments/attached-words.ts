import type { GlyphName } from "../format/glyph";
import type { AttachedList, FactView } from "../views/attachments";

/** Lists of an attachment as the pages are called. */
export const LIST_NAMES: Readonly<Record<AttachedList, string>> = {
  keys: "Operations",
  outgoing: "Outbox",
  incoming: "Inbox",
  dead: "Dead letters",
};

/** The three words that say what a fact is worth. */
export const WORTH: Readonly<Record<FactView["kind"], { readonly word: string; readonly glyph: GlyphName }>> = {
  stored: { word: "Yes", glyph: "proven" },
  derived: { word: "Derived", glyph: "form" },
  not_stored: { word: "Not stored", glyph: "skipped" },
};

const FACT_NAMES: Readonly<Record<string, string>> = {
  id: "Row",
  tenant_ref: "Tenant",
  scope: "Operation",
  key: "Key",
  key_is_hashed: "Whether the key is hashed",
  fingerprint: "Fingerprint of the request",
  raw_state: "State as the library says it",
  http_status: "Status of the response",
  has_response: "Whether a response is kept",
  response_codec: "Format of the response",
  completed_at: "Completed",
  created_at: "Created",
  updated_at: "Changed",
  received_at: "Received",
  first_seen_at: "First seen",
  handled_at: "Handled",
  available_at: "Next try",
  sent_at: "Sent",
  dead_at: "Died",
  locked_by: "Locked by",
  locked_until: "Locked until",
  expires_at: "Expires",
  keep_until: "Kept until",
  attempts: "Attempts",
  max_attempts: "Most attempts",
  last_error: "Last error",
  message_id: "Message id",
  type: "Type",
  destination: "Destination",
  consumer: "Consumer",
  order_key: "Ordering key",
  payload_codec: "Format of the payload",
  headers: "Headers",
  origin: "Where it died",
  error_type: "Kind of error",
  error_message: "Error",
  error_trace: "Trace of the error",
  replay_requested: "Whether a replay is asked for",
};

/** @returns the name of a column as people say it */
export function factName(column: string): string {
  return FACT_NAMES[column] ?? column;
}

const STATES: Readonly<Record<string, { readonly word: string; readonly glyph: GlyphName }>> = {
  waiting: { word: "Waiting", glyph: "pending" },
  scheduled: { word: "Scheduled", glyph: "pending" },
  retrying: { word: "Retrying", glyph: "FAILED_RETRYABLE" },
  in_progress: { word: "In progress", glyph: "IN_PROGRESS" },
  sending: { word: "Sending", glyph: "IN_PROGRESS" },
  sent: { word: "Sent", glyph: "published" },
  done: { word: "Done", glyph: "COMPLETED" },
  failed: { word: "Failed", glyph: "FAILED_REPLAYABLE" },
  dead: { word: "Dead", glyph: "dead" },
  replay_requested: { word: "Replay asked for", glyph: "pending" },
  cancelled: { word: "Cancelled", glyph: "discarded" },
  expired: { word: "Expired", glyph: "EXPIRED" },
};

/** @returns the word and the glyph of a state of a list; what the preset does not know is drawn as a gap, as on the pages of a source */
export function attachedState(list: AttachedList, state: string): { readonly word: string; readonly glyph: GlyphName } {
  const face = STATES[state] ?? { word: "State not known", glyph: "gap" };
  if (list !== "incoming") return face;
  return {
    ...face,
    glyph: face.glyph === "COMPLETED" ? "processed" : face.glyph === "pending" ? "recorded" : face.glyph,
  };
}

/** A time of a preview as a table has it: to the second, in UTC. */
export function previewCell(value: string | null): string {
  if (value === null) return "";
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value.slice(0, 19).replace("T", " ") : value;
}
