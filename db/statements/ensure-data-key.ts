import type { Queryable } from "@/db/client";

export type DataKeyPurpose = "body" | "fingerprint";

export interface DataKeyInput {
  readonly tenantId: string;
  readonly purpose: DataKeyPurpose;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Name of the entry of ENCRYPTION_KEYS. */
  readonly wrappedBy: string;
  /** Offered when there is none yet. */
  readonly wrapped: Buffer;
}

export interface DataKeyRow {
  readonly wrapped_by: string;
  /** Null: destroyed. */
  readonly wrapped: Buffer | null;
}

/** @returns the data key that stands, which may be the one offered. Safe from any number of processes at once. */
export async function ensureDataKey(db: Queryable, input: DataKeyInput): Promise<DataKeyRow> {
  const { rows } = await db.query<DataKeyRow>({
    name: "ensure_data_key",
    text: "select * from onceboard.ensure_data_key($1,$2,$3,$4,$5)",
    values: [input.tenantId, input.purpose, input.day, input.wrappedBy, input.wrapped],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("ensure_data_key() returned no row");
  return row;
}
