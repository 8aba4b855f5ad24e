import type { Queryable } from "@/db/client";

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
