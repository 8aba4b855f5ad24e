import { NAV_COUNTED } from "@/domain/lists/nav-counted";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";
import type { DownView } from "./down";
import type { PageReadsView } from "./page-reads";

/**
 * The one small answer that keeps a page live: `GET /api/v1/admin/pulse?page=…&since=…` (and the filters of the list).
 * Small and ETagged, so that an unchanged live status costs one 304.
 */
export interface LiveStatus {
  /** Database time of the answer, RFC 3339. */
  readonly at: string;
  /** Counts at the right of the navigation, by navigation key. */
  readonly counts: NavCounts;
  /** Rows of this list that arrived after `since`; 0 on pages without a list. */
  readonly newer: number;
  /** Changes whenever something this page shows changed; unchanged = nothing to refresh. */
  readonly mark: string;
  readonly down: DownView;
  /** In a deployment with a read replica. */
  readonly reads?: PageReadsView | undefined;
  /** Of a list of an attached database: what its database was last heard to say. */
  readonly source?: SourceNews | undefined;
}

/** What is known of rows above those of a page of an attached database; its times are when that database was asked. */
export type SourceNews =
  | { readonly kind: "waiting" }
  | {
      readonly kind: "read";
      readonly newer: number;
      /** There are more than were counted. */
      readonly more: boolean;
      readonly at: string;
    }
  /** It would be too dear to ask again and again. */
  | { readonly kind: "not_watched"; readonly because: string }
  | { readonly kind: "away"; readonly because: string; readonly at: string };

export interface NavCounts {
  /** Of the last 24 hours. */
  readonly conflicts?: number | undefined;
  /** Messages that are not published yet. */
  readonly outbox?: number | undefined;
  /** Messages that are not handled yet. */
  readonly inbox?: number | undefined;
  /** Unknown plus stale: drawn as doubt. */
  readonly attention?: number | undefined;
  readonly unknown?: number | undefined;
  readonly stale?: number | undefined;
  /** Of both sides, not settled. */
  readonly deadLetters?: number | undefined;
  readonly plans?: number | undefined;
  readonly approvals?: number | undefined;
  readonly violated?: number | undefined;
}

export type NavCountName = Exclude<keyof NavCounts, "unknown" | "stale">;

/** Where their count stops. */
const BOUNDS: Readonly<Partial<Record<NavCountName, number>>> = {
  conflicts: NAV_COUNTED,
  plans: NAV_COUNTED,
  approvals: NAV_COUNTED,
  outbox: WAITING_COUNTED,
  inbox: WAITING_COUNTED,
};

/** "12", "1,000+". */
export function navCountText(name: NavCountName, count: number): string {
  return `${formatCount(count)}${count >= (BOUNDS[name] ?? Infinity) ? "+" : ""}`;
}

const COUNTED: Readonly<Record<Exclude<NavCountName, "attention">, readonly [one: string, many: string]>> = {
  conflicts: ["conflict in the last 24 hours", "conflicts in the last 24 hours"],
  outbox: ["message pending", "messages pending"],
  inbox: ["message not handled yet", "messages not handled yet"],
  deadLetters: ["dead message, outbox or inbox", "dead messages, outbox and inbox"],
  plans: ["open plan", "open plans"],
  approvals: ["plan waits for a second person", "plans wait for a second person"],
  violated: ["invariant violated", "invariants violated"],
};

/** What a count of the navigation counts: "52 messages pending", "26 unknown, 26 stale leases". */
export function navCountWords(name: NavCountName, count: number, { unknown, stale }: NavCounts): string {
  const text = navCountText(name, count);
  if (name !== "attention") return `${text} ${COUNTED[name][count === 1 ? 0 : 1]}`;
  return unknown === undefined || stale === undefined
    ? `${text} unknown or stale`
    : `${formatCount(unknown)} unknown, ${plural(stale, "stale lease")}`;
}

/** What stands beside a place: what its page says, as long as that is newer than the poll; then also what it is now. */
export function navCountShown(
  name: NavCountName,
  page: number | undefined,
  live: number | undefined,
): string | undefined {
  if (live === undefined) return undefined;
  const now = navCountText(name, live);
  return page === undefined || page === live ? now : `${navCountText(name, page)} → ${now}`;
}
