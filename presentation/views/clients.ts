import type { VerdictView } from "./common";
import type { ConflictGroup } from "./conflicts";

export const CLIENT_RANGES = ["24h", "7d", "30d"] as const;
export type ClientRange = (typeof CLIENT_RANGES)[number];

/** How one client used its keys in a range. Counts of requests; rates are shares of the answers, 0–1. */
export interface ClientReport {
  readonly client: string;
  /** Whether a client of this name is kept here; services in other languages bring names of their own. */
  readonly registered: boolean;
  /** What was answered, and what was refused before any operation. */
  readonly requests: number;
  readonly executed: number;
  readonly replayed: number;
  readonly conflicts: number;
  readonly inFlight: number;
  readonly expired: number;
  readonly replayRate?: number | undefined;
  readonly conflictRate?: number | undefined;
  /** Refused: without a key, with an invalid one, with an invalid body, over the rate limit. */
  readonly noKey: number;
  readonly badKey: number;
  readonly invalid: number;
  readonly limited: number;
  /** Requests of a key after its first one. */
  readonly again: number;
  /** How long after the first request they came; percentiles are read from powers of two. */
  readonly reuse?: { readonly medianMs: number; readonly p95Ms: number; readonly maxMs: number } | undefined;
  readonly afterWindow: number;
  /** Came less than FAST_RETRY_MS after the request before. */
  readonly fast: number;
  readonly conflictKeys: number;
  readonly conflictKinds: {
    readonly amount: number;
    readonly foreign: number;
    readonly fields: number;
    readonly unknown: number;
  };
  readonly verdict: VerdictView;
  /** What orders the list, worst first. */
  readonly weight: number;
}

export interface ClientListRow extends ClientReport {
  readonly liveKeys: number;
  readonly lastUsedAt?: string | undefined;
}

interface ClientsFrame {
  readonly at: string;
  readonly range: ClientRange;
  /** First hour of the range, RFC 3339. */
  readonly from: string;
  /** Age of the newest computed minute; undefined: none yet. */
  readonly rolledUpMs?: number | undefined;
  readonly choices: ClientChoices;
  /** Why this person may not make clients and keys. */
  readonly whyNot?: string | undefined;
}

export interface ClientsView extends ClientsFrame {
  readonly rows: readonly ClientListRow[];
  /** There are more names than were read and ranked. */
  readonly cut: boolean;
  readonly verdict: VerdictView;
}

export interface ClientChoices {
  readonly scopes: readonly string[];
  readonly profiles: readonly string[];
  readonly overlapHours: number;
  readonly maxLiveKeys: number;
}

export interface ClientKeyView {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly profile: string;
  readonly createdAt: string;
  readonly createdBy?: string | undefined;
  /** To the minute. */
  readonly lastUsedAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  readonly revokedBy?: string | undefined;
  readonly state: "live" | "ending" | "ended" | "revoked";
}

export interface FastRetry {
  readonly operationId: string;
  readonly operation: string;
  readonly kind: string;
  readonly at: string;
  readonly gapMs: number;
  readonly outcome: string;
}

export interface ClientSeries {
  readonly name: "executed" | "replayed" | "in_progress" | "conflict" | "expired_retry" | "fast" | "no_key";
  readonly values: readonly number[];
  readonly total: number;
}

export interface Advice {
  readonly name: "conflict" | "no_key" | "bad_key" | "fast" | "late" | "in_flight" | "invalid" | "limited";
  readonly what: string;
  /** What the client should do, as the retry contract says it. */
  readonly todo: string;
}

export interface ClientDetail extends ClientsFrame {
  readonly report: ClientReport;
  readonly advice: readonly Advice[];
  /** Text to send to the client: counts and rules, no key, no body. */
  readonly message: string;
  readonly bucketHours: number;
  readonly buckets: readonly string[];
  readonly series: readonly ClientSeries[];
  readonly conflicts: readonly ConflictGroup[];
  readonly fastRetries: readonly FastRetry[];
  /** How many of the newest events were looked through for them. */
  readonly fastLookedAt: number;
  readonly client?:
    (Pick<ClientKeyView, "scopes" | "profile" | "createdAt"> & { readonly contact?: string | undefined }) | undefined;
  readonly keys: readonly ClientKeyView[];
  /** Requests of the client in the last whole hour that was computed minute by minute: what a revoked key may stop. */
  readonly lastHour: number;
}

export interface KeyCaller {
  readonly client: string;
  readonly requests: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly lastOutcome: string;
}

/** Who used one key, for a person who is about to purge its answer or release it. */
export interface KeyCallersView {
  readonly at: string;
  readonly operationId: string;
  /** The window that was looked at: how long a key stands for its operation. */
  readonly windowHours: number;
  /** Until when a retry is expected, RFC 3339; in the past: the window is over. */
  readonly expiresAt: string;
  readonly open: boolean;
  readonly callers: readonly KeyCaller[];
}
