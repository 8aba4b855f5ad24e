import type { Queryable } from "@/db/client";

/** Why nothing can be sent to a destination now. */
export interface Outage {
  /** Milliseconds until the messages are looked at again. */
  readonly delayMs: number;
  readonly errorCode: string;
  readonly error: string;
}

/** Gives claimed messages back unsent, without counting an attempt. @returns how many were still ours. */
export async function releaseOutbox(
  db: Queryable,
  tenantId: string,
  messages: readonly { readonly id: string; readonly fence: number }[],
  outage?: Outage,
): Promise<number> {
  if (messages.length === 0) return 0;
  const { rows } = await db.query<{ released: number }>({
    text: "select onceboard.release_outbox($1,$2::uuid[],$3::integer[],$4,$5,$6) as released",
    values: [
      tenantId,
      messages.map((message) => message.id),
      messages.map((message) => message.fence),
      outage?.delayMs ?? 0,
      outage?.errorCode,
      outage?.error,
    ],
  });
  return rows[0]?.released ?? 0;
}
