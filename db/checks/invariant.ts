/** Hours back that a check looks; what broke earlier was shown then. */
export const INVARIANT_HOURS = 24;
/** What follows by itself, such as a posting, may take so long before its absence counts. */
export const LAG_MINUTES = 5;
/** A lease that ended so long ago should have been taken over. */
export const STALE_MINUTES = 10;

export type InvariantGroup = "One execution" | "Money" | "Messages" | "Records";

/** Page of a violating thing; `find` where it may be one of several. */
export type InvariantPage = "operations" | "outbox" | "inbox" | "plans" | "audit" | "find";

export interface Invariant {
  readonly name: string;
  readonly group: InvariantGroup;
  readonly label: string;
  /** What must hold, as a sentence. */
  readonly sentence: string;
  readonly page: InvariantPage;
  /** `window`: rows of the last INVARIANT_HOURS; otherwise what it looks at instead. */
  readonly looksAt: string;
  /** Selects `id` of what violates it. `$1` tenant, `$2` hours where it has a window. */
  readonly sql: string;
}

export const SINCE = "now() - make_interval(hours => $2)";
export const DAYS = `((${SINCE}) at time zone 'utc')::date`;
export const LAG = `interval '${String(LAG_MINUTES)} minutes'`;
/** Operations that move money, and the events that say so. */
export const EFFECTS = "('payments.create', 'refunds.create', 'payments.void')";
export const MONEY_EVENTS = "('payment.succeeded', 'refund.succeeded', 'payment.voided')";
/** Topics that carry copies for people and merchants, not our own events. */
export const COPIES = (column: string): string => `(${column} = 'mail' or ${column} like 'webhook:%')`;

export const DAY = `operations and messages of the last ${String(INVARIANT_HOURS)} hours`;
