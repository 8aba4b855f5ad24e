import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";

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
  return (await callScalar<boolean>(tx, "advance_inbox_version", input)) === true;
}
