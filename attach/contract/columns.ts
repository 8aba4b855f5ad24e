/**
 * The one column list of every attached table (docs/attach/README.md): up to four views, the same columns whichever library owns what is
 * behind them. `source`, `state` and the two order columns are made for every view; the others come from the preset.
 */
const TEXT = "text";
const TIME = "timestamp with time zone";
const INTEGER = "integer";
const BOOLEAN = "boolean";

/** Name and SQL type of the columns that a preset fills, per view. */
export const VIEW_COLUMNS = {
  keys: {
    id: TEXT,
    tenant_ref: TEXT,
    scope: TEXT,
    key: TEXT,
    key_is_hashed: BOOLEAN,
    fingerprint: TEXT,
    raw_state: TEXT,
    http_status: INTEGER,
    has_response: BOOLEAN,
    response_codec: TEXT,
    created_at: TIME,
    updated_at: TIME,
    completed_at: TIME,
    locked_by: TEXT,
    locked_until: TIME,
    expires_at: TIME,
    attempts: INTEGER,
  },
  outgoing: {
    id: TEXT,
    message_id: TEXT,
    type: TEXT,
    destination: TEXT,
    order_key: TEXT,
    tenant_ref: TEXT,
    raw_state: TEXT,
    created_at: TIME,
    available_at: TIME,
    locked_by: TEXT,
    locked_until: TIME,
    sent_at: TIME,
    attempts: INTEGER,
    max_attempts: INTEGER,
    last_error: TEXT,
    payload_codec: TEXT,
    headers: TEXT,
    expires_at: TIME,
  },
  incoming: {
    id: TEXT,
    message_id: TEXT,
    consumer: TEXT,
    type: TEXT,
    order_key: TEXT,
    tenant_ref: TEXT,
    raw_state: TEXT,
    received_at: TIME,
    handled_at: TIME,
    attempts: INTEGER,
    last_error: TEXT,
    payload_codec: TEXT,
    headers: TEXT,
    keep_until: TIME,
  },
  dead: {
    id: TEXT,
    origin: TEXT,
    type: TEXT,
    order_key: TEXT,
    tenant_ref: TEXT,
    raw_state: TEXT,
    first_seen_at: TIME,
    dead_at: TIME,
    attempts: INTEGER,
    error_type: TEXT,
    error_message: TEXT,
    error_trace: TEXT,
    payload_codec: TEXT,
    replay_requested: BOOLEAN,
    expires_at: TIME,
  },
} as const;

/** The states that a row of a view may be in; what fits none of its library's is `unknown`. */
export const VIEW_STATES = {
  keys: ["in_progress", "done", "failed", "expired", "unknown"],
  outgoing: ["waiting", "scheduled", "in_progress", "retrying", "sent", "dead", "cancelled", "expired", "unknown"],
  incoming: ["waiting", "scheduled", "in_progress", "sending", "retrying", "done", "dead", "unknown"],
  dead: ["dead", "replay_requested", "unknown"],
} as const;

export type AttachView = keyof typeof VIEW_COLUMNS;
export type ColumnOf<View extends AttachView> = keyof (typeof VIEW_COLUMNS)[View] & string;
export type ViewState<View extends AttachView> = (typeof VIEW_STATES)[View][number];

export const ATTACH_VIEWS = Object.keys(VIEW_COLUMNS) as readonly AttachView[];

/** The schema that the owner of a database installs; a second attachment of the same database has a name of its own. */
export const ATTACH_SCHEMA = "onceboard_attach";
