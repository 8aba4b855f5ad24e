import type { Queryable } from "@/db/client";
import { type FailedAttempt, failedAttemptValues } from "@/db/messages/failed-attempt";

/**
 * Moves acknowledged messages to the history, each by its fence.
 *
 * @param transport what carried them
 * @returns the ids that were ours to move
 */
export async function publishOutbox(
  db: Queryable,
  tenantId: string,
  messages: readonly { readonly id: string; readonly fence: number }[],
  transport: string,
): Promise<string[]> {
  if (messages.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: "publish_outbox",
    text: "select publish_outbox as id from onceboard.publish_outbox($1,$2::uuid[],$3::integer[],$4)",
    values: [tenantId, messages.map((message) => message.id), messages.map((message) => message.fence), transport],
  });
  return rows.map((row) => row.id);
}

/** @returns what the message is now; `fenced`: another relay owns it, nothing was written. */
export async function failOutbox(db: Queryable, input: FailedAttempt): Promise<"pending" | "dead" | "fenced"> {
  const { rows } = await db.query<{ outcome: "pending" | "dead" | "fenced" }>({
    name: "fail_outbox",
    text: "select onceboard.fail_outbox($1,$2,$3,$4,$5,$6,$7,$8,$9) as outcome",
    values: failedAttemptValues(input),
  });
  return rows[0]?.outcome ?? "fenced";
}

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
