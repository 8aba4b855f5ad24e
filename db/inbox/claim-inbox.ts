import type { Queryable } from "@/db/client";

export interface ClaimedInboxMessage {
  readonly id: string;
  readonly consumer: string;
  readonly source: string;
  readonly message_id: string;
  readonly type: string;
  readonly operation_id: string | null;
  readonly payload: unknown;
  /** What was kept of the arrival's headers. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly fence: number;
  readonly attempts_started: number;
  readonly attempts_finished: number;
}

/**
 * Takes due messages; each goes to one process, with its fence raised and its attempt counted before it starts.
 *
 * @param input.alone those that failed, were slow or ended their process; otherwise those that were never tried
 */
export async function claimInbox(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly owner: string;
    readonly leaseMs: number;
    readonly limit: number;
    readonly alone: boolean;
  },
): Promise<ClaimedInboxMessage[]> {
  const { rows } = await db.query<ClaimedInboxMessage>({
    name: "claim_inbox",
    text: `select id, consumer, source, message_id, type, operation_id, payload, headers, fence, attempts_started, attempts_finished
           from onceboard.claim_inbox($1,$2,$3,$4,$5)`,
    values: [input.tenantId, input.owner, input.leaseMs, input.limit, input.alone],
  });
  return rows;
}
