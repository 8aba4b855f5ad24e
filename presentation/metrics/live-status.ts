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
}

export interface NavCounts {
  readonly conflicts?: number | undefined;
  readonly outbox?: number | undefined;
  readonly inbox?: number | undefined;
  /** Unknown plus stale: drawn as doubt. */
  readonly attention?: number | undefined;
  readonly deadLetters?: number | undefined;
  readonly plans?: number | undefined;
  readonly approvals?: number | undefined;
  readonly violated?: number | undefined;
}
