import type { Queryable } from "@/db/client";
import { advanceInboxVersion } from "@/db/inbox/aggregate-versions";
import type { HandledResult, InboxMessage, TransactionalConsumer } from "./consumer";
import type { EngineContext } from "../context";

/** Result of a message that came after a newer one of its aggregate. */
export const SUPERSEDED = "superseded by a newer version";

/**
 * Runs a handler, unless its consumer goes by versions and has handled this one of the aggregate or a newer one already:
 * then nothing is done and the message is over. The version is noted in the handler's transaction, so the one never is without
 * the other.
 */
export async function handleVersioned(
  ctx: EngineContext,
  consumer: TransactionalConsumer,
  tx: Queryable,
  message: InboxMessage,
): Promise<HandledResult> {
  const about = consumer.versionOf?.(message);
  if (about === undefined) return consumer.handle(ctx, tx, message);
  const newest = await advanceInboxVersion(tx, {
    tenantId: ctx.tenantId,
    consumer: consumer.name,
    source: message.source,
    aggregate: about.aggregate,
    version: about.version,
    messageId: message.messageId,
  });
  return newest ? consumer.handle(ctx, tx, message) : SUPERSEDED;
}
