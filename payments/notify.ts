import { v7 as uuidv7 } from "uuid";
import { hasEmail } from "./db/accounts";
import {
  keepNotification,
  MAIL_TOPIC,
  type EngineContext,
  type NotificationCause,
  type Queryable,
} from "@/engine/index";

export interface Note {
  /** Stable per side effect, e.g. `receipt_payment_<id>`. */
  readonly notificationKey: string;
  readonly kind: "receipt" | "notice";
  readonly accountId: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** @returns whether it is new, kept from before, or kept for nobody because the account has no address. */
export type Kept = "new" | "kept already" | "no address";

/**
 * Keeps a message to an account's holder and, when it is new, the outbox message that carries it, in the transaction of the
 * inbox row. Neither holds the address: that is looked up when the mail leaves.
 */
export async function notifyAccount(
  ctx: EngineContext,
  tx: Queryable,
  cause: NotificationCause,
  note: Note,
): Promise<Kept> {
  const { notificationKey, kind, accountId } = note;
  const id = uuidv7();
  const carrier = (await hasEmail(tx, ctx.tenantId, accountId)) && {
    aggregateType: "notification",
    aggregateId: id,
    topic: MAIL_TOPIC,
    type: `notification.${kind}`,
    payload: { notificationId: id },
  };
  const kept = { id, notificationKey, kind, detail: { accountId, ...note.detail } };
  if (!(await keepNotification(ctx, tx, cause, kept, carrier || undefined))) return "kept already";
  return carrier ? "new" : "no address";
}
