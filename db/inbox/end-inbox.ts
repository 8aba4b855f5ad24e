import type { Queryable } from "@/db/client";
import { type FailedAttempt, failedAttemptValues } from "@/db/messages/failed-attempt";

export interface HandledRow {
  readonly id: string;
  readonly fence: number;
  readonly result: string;
}

/** recorded → processed, in the transaction of the effects. @returns the ids that were still ours; with any missing: roll back. */
export async function finishInbox(db: Queryable, tenantId: string, handled: readonly HandledRow[]): Promise<string[]> {
  if (handled.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: "finish_inbox",
    text: "select finish_inbox as id from onceboard.finish_inbox($1,$2::uuid[],$3::integer[],$4::text[])",
    values: [tenantId, handled.map((row) => row.id), handled.map((row) => row.fence), handled.map((row) => row.result)],
  });
  return rows.map((row) => row.id);
}

/** @returns what the message is now; `fenced`: another process owns it, nothing was written. */
export async function failInbox(db: Queryable, input: FailedAttempt): Promise<"recorded" | "dead" | "fenced"> {
  const { rows } = await db.query<{ outcome: "recorded" | "dead" | "fenced" }>({
    name: "fail_inbox",
    text: "select onceboard.fail_inbox($1,$2,$3,$4,$5,$6,$7,$8,$9) as outcome",
    values: failedAttemptValues(input),
  });
  return rows[0]?.outcome ?? "fenced";
}

/**
 * Gives messages back for later without counting an attempt.
 *
 * @param options.delayMs milliseconds until they are due again
 * @param options.alone handle them singly from then on
 * @returns how many were still ours
 */
export async function postponeInbox(
  db: Queryable,
  tenantId: string,
  messages: readonly { readonly id: string; readonly fence: number }[],
  options: { readonly delayMs: number; readonly alone: boolean },
): Promise<number> {
  if (messages.length === 0) return 0;
  const { rows } = await db.query<{ postponed: number }>({
    name: "postpone_inbox",
    text: "select onceboard.postpone_inbox($1,$2::uuid[],$3::integer[],$4,$5) as postponed",
    values: [
      tenantId,
      messages.map((message) => message.id),
      messages.map((message) => message.fence),
      options.delayMs,
      options.alone,
    ],
  });
  return rows[0]?.postponed ?? 0;
}

export interface AggregateVersion {
  readonly tenantId: string;
  readonly consumer: string;
  readonly source: string;
  readonly aggregate: string;
  /** Grows with every change of the aggregate. */
  readonly version: bigint;
  readonly messageId: string;
}

/** Notes, in the handler's transaction, that this version is handled. @returns false when it or a newer one was already: superseded. */
export async function advanceInboxVersion(tx: Queryable, input: AggregateVersion): Promise<boolean> {
  const { rows } = await tx.query<{ newer: boolean }>({
    name: "advance_inbox_version",
    text: "select onceboard.advance_inbox_version($1,$2,$3,$4,$5,$6) as newer",
    values: [input.tenantId, input.consumer, input.source, input.aggregate, input.version.toString(), input.messageId],
  });
  return rows[0]?.newer === true;
}

/** Limits each further statement of the open transaction. @param ms whole milliseconds */
export async function limitStatements(tx: Queryable, ms: number): Promise<void> {
  await tx.query({ text: `set local statement_timeout = ${String(Math.trunc(ms))}` });
}
