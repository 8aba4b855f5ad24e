/** A place outside of the database that keeps checkpoints. */
export interface CheckpointSink {
  /** As pages and logs name it; without anything secret. */
  readonly name: string;
  /** Adds lines, in order; the same line may come again. @throws when not all of them are safely there */
  append(lines: readonly string[]): Promise<void>;
  /** The lines that may hold the newest checkpoint of each chain, oldest first; missing: it cannot be read back. */
  readonly read?: () => Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How long one delivery may take, ms. */
export const SINK_TIMEOUT_MS = 10_000;
