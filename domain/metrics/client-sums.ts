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
