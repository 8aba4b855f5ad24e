import type { Queryable } from "@/db/client";
import type { DataKeyPurpose } from "./ensure-data-key";

/** Stores the same data key under another entry of ENCRYPTION_KEYS. @returns false when it changed meanwhile */
export async function rewrapDataKey(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly purpose: DataKeyPurpose;
    readonly day: string;
    readonly from: string;
    readonly to: string;
    readonly wrapped: Buffer;
  },
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    text: "select onceboard.rewrap_data_key($1,$2,$3,$4,$5,$6) as done",
    values: [input.tenantId, input.purpose, input.day, input.from, input.to, input.wrapped],
  });
  return rows[0]?.done === true;
}
