import type { ActionView, Page } from "./common";
import type { OperationRow } from "./operations";

export interface RetentionView {
  readonly preview: RetentionPreview;
  readonly runs: Page<RetentionRunRow>;
  readonly run: ActionView;
  readonly keys: BodyKeysView;
  /** First keys that would lose their exact replay. */
  readonly losing: readonly LosingKey[];
  /** Of all tenants together; empty when it could not be read in time. */
  /** On disk, of all tenants together; undefined for whoever has no role on all of them. */
  readonly tables: readonly TableSize[] | undefined;
}

export interface LosingKey extends Pick<OperationRow, "operationId" | "kind" | "key" | "client"> {
  readonly expiresAt: string;
}

/** A table that is kept in one part a day. */
export interface TableSize {
  readonly name: string;
  readonly days: number;
  readonly bytes: string;
  /** `YYYY-MM-DD` */
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** Keys of stored bodies, one a day. */
export interface BodyKeysView {
  /** As KEY_STORE names it; `env`: none. */
  readonly store: string;
  /** The key store did not answer. */
  readonly away: boolean;
  readonly live: number;
  /** `YYYY-MM-DD` */
  readonly oldestLive?: string | undefined;
  readonly destroyed: number;
  readonly lastDestroyed?: string | undefined;
  /** Not moved yet to the current entry of ENCRYPTION_KEYS: the old entry is still needed. */
  readonly otherEntry: number;
  /** In use, and wrapped by an entry of ENCRYPTION_KEYS alone. */
  readonly withoutStore: number;
  /** In use, and in need of another key store than the console's. */
  readonly otherStore: number;
  /** Destroyed in the database, and not yet known to be gone from the key store. */
  readonly waiting: number;
}

export interface KeptOtherwise {
  readonly operation: string;
  readonly kind: string;
  readonly bodyTtlHours: number;
  readonly ttlHours: number;
  readonly metadataTtlDays: number;
}

/** What a purge of bodies would do now. */
export interface RetentionPreview {
  readonly at: string;
  readonly bodyTtlHours: number;
  readonly idempotencyTtlHours: number;
  readonly metadataTtlDays: number;
  /** Operations that this tenant keeps for another time. */
  readonly otherwise: readonly KeptOtherwise[];
  readonly operations: number;
  readonly bodyRows: number;
  /** Of the ciphertext. */
  readonly bytes: string;
  readonly oldest?: string | undefined;
  /** Keys in their window whose retries get the stored answer now; after the purge they get none of its bytes. */
  readonly losingReplay: number;
  /** Old enough, but still open: skipped. */
  readonly skippedOpen: number;
  /** Old enough, but their key may run again with the stored command: skipped. */
  readonly mayRunAgain: number;
  /** True: it looked at PREVIEW_LIMIT operations and stopped, so the numbers are "at least". */
  readonly atLeast: boolean;
  /** True: cancelled after its time limit; all numbers are 0. */
  readonly tooBroad: boolean;
}

export interface RetentionRunRow {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly kind: string;
  readonly rows: number;
  readonly bytes: string;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}
