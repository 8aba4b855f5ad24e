import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";

/** What an operator does with a dead message, as the function of the database is called. */
export type MessageSettlement =
  /** → pending under the same message id. */
  | "requeue_outbox"
  /** → published without sending, because the consumer's inbox holds the message. */
  | "close_outbox"
  /** → discarded: never sent, the row stays and its aggregate goes on. */
  | "discard_outbox"
  /** → recorded; the handler runs again behind its unique constraints. */
  | "requeue_inbox"
  /** → discarded: never handled, the row stays. */
  | "discard_inbox";

export interface SettledBy {
  /** As the dead letter names them. */
  readonly actor: string;
  /** A discard needs one. */
  readonly reason: string | undefined;
}

/** Moves a dead message on. @returns false when it is not dead (any more) */
export async function settleMessage(
  db: Queryable,
  settlement: MessageSettlement,
  message: { readonly tenantId: string; readonly id: string },
  by: SettledBy,
): Promise<boolean> {
  const { tenantId, id } = message;
  return (await callScalar<boolean>(db, settlement, [tenantId, id, by.actor, by.reason])) === true;
}
