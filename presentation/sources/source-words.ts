import type { GlyphName, Tone } from "../format/glyph";
import type { SourceActName, SourceColumn, SourceViewName } from "../views/sources";

/** The page of each list: its part of the address, its name, and what its rows are. */
export const SOURCE_PAGES: Readonly<
  Record<SourceViewName, { readonly path: string; readonly label: string; readonly row: string }>
> = {
  keys: { path: "operations", label: "Operations", row: "key" },
  outgoing: { path: "outbox", label: "Outbox", row: "message" },
  incoming: { path: "inbox", label: "Inbox", row: "message" },
  dead: { path: "dead-letters", label: "Dead letters", row: "dead letter" },
};

/** @param page path of one of its pages; none: the overview */
export const sourceHref = (name: string, page?: string): string =>
  page === undefined ? `/sources/${name}` : `/sources/${name}/${page}`;

interface StateFace {
  readonly glyph: GlyphName;
  readonly word: string;
  readonly tone?: Tone;
}

/** Drawn as our own states are, with words of its own: another library means something else by them. */
const UNKNOWN: StateFace = { glyph: "gap", word: "State not known" };
const DEAD: StateFace = { glyph: "dead", word: "Dead" };
const RUNNING: StateFace = { glyph: "IN_PROGRESS", word: "In progress" };
const STATES: Readonly<Record<SourceViewName, Readonly<Record<string, StateFace>>>> = {
  keys: {
    in_progress: RUNNING,
    done: { glyph: "COMPLETED", word: "Done" },
    failed: { glyph: "FAILED_REPLAYABLE", word: "Failed" },
    expired: { glyph: "EXPIRED", word: "Expired" },
  },
  outgoing: {
    waiting: { glyph: "pending", word: "Waiting" },
    scheduled: { glyph: "pending", word: "Scheduled" },
    in_progress: RUNNING,
    retrying: { glyph: "pending", word: "Retrying", tone: "doubt" },
    sent: { glyph: "published", word: "Sent" },
    dead: DEAD,
    cancelled: { glyph: "discarded", word: "Cancelled" },
    expired: { glyph: "EXPIRED", word: "Expired" },
  },
  incoming: {
    waiting: { glyph: "recorded", word: "Waiting" },
    scheduled: { glyph: "recorded", word: "Scheduled" },
    in_progress: RUNNING,
    sending: { glyph: "pending", word: "Sending" },
    retrying: { glyph: "recorded", word: "Retrying", tone: "doubt" },
    done: { glyph: "processed", word: "Done" },
    dead: DEAD,
  },
  dead: { dead: DEAD, replay_requested: { glyph: "pending", word: "Replay requested" } },
};

/** The states that rows of each list may be in. */
export const SOURCE_STATES: Readonly<Record<SourceViewName, readonly string[]>> = {
  keys: [...Object.keys(STATES.keys), "unknown"],
  outgoing: [...Object.keys(STATES.outgoing), "unknown"],
  incoming: [...Object.keys(STATES.incoming), "unknown"],
  dead: [...Object.keys(STATES.dead), "unknown"],
};

/** How a state of a list is drawn; what the preset does not know is drawn as a gap. */
export function sourceState(view: SourceViewName, state: string): StateFace {
  return STATES[view][state] ?? UNKNOWN;
}

const COLUMNS: Readonly<Record<string, string>> = {
  id: "Id",
  tenant_ref: "Tenant",
  key_is_hashed: "Key is hashed",
  raw_state: "State as stored",
  http_status: "Response status",
  has_response: "Response kept",
  response_codec: "Format of the response",
  payload_codec: "Format of the body",
  order_key: "Ordering key",
  message_id: "Message id",
};

/** "created_at": "Created at". */
export function columnLabel(name: string): string {
  const words = name.replaceAll("_", " ");
  return COLUMNS[name] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

export const COLUMN_KINDS: Readonly<Record<SourceColumn["kind"], string>> = {
  stored: "Stored",
  derived: "≈ Derived",
  not_stored: "– Not stored",
};

export const ACT_WORDS: Readonly<Record<SourceActName, string>> = {
  requeue: "Requeue",
  discard: "Discard",
  purge: "Purge",
};

/** Columns of each list as its table shows them, in order; the others are beside an opened row. */
export const LISTED: Readonly<
  Record<
    SourceViewName,
    Readonly<{ what: string; note: readonly string[]; where: readonly string[]; times: readonly string[] }>
  >
> = {
  keys: {
    what: "key",
    note: ["scope", "tenant_ref"],
    where: ["http_status"],
    times: ["created_at", "completed_at", "locked_until", "expires_at"],
  },
  outgoing: {
    what: "type",
    note: ["message_id"],
    where: ["destination", "order_key"],
    times: ["created_at", "available_at", "sent_at"],
  },
  incoming: {
    what: "type",
    note: ["message_id"],
    where: ["consumer", "order_key"],
    times: ["received_at", "handled_at"],
  },
  dead: { what: "type", note: ["origin"], where: ["order_key"], times: ["first_seen_at", "dead_at"] },
};

/** The column that says when a row of a list may be deleted. */
export const EXPIRY: Readonly<Record<SourceViewName, string>> = {
  keys: "expires_at",
  outgoing: "expires_at",
  incoming: "keep_until",
  dead: "expires_at",
};
