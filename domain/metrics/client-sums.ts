/** Names of clients that a list reads at the most, besides those that are kept here. */
export const CLIENTS_LISTED = 200;

/** One measure of one client, added up over the range (db/metrics/client_measures.sql). */
export interface MeasureSum {
  readonly client: string;
  readonly measure: string;
  readonly count: number;
  readonly sum: number;
  /** Highest `sum` of a bucket. */
  readonly top: number;
}

export interface RefusalSum {
  readonly client: string;
  readonly code: string;
  readonly count: number;
}
