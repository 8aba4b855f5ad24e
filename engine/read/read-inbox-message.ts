import { readWithin } from "@/db/queries/sql-text";
import { selectDeadLettersOfMessage } from "@/db/queries/console/select-dead-letters";
import { selectArrivals, selectInboxMessage } from "@/db/queries/console/select-inbox";
import { selectOutboxMessage } from "@/db/queries/console/select-outbox";
import { actionView } from "@/domain/allowed-actions";
import { UUID } from "@/domain/filters/search";
import { maskDocument, shortHash } from "@/domain/mask";
import type { InboxDetail } from "@/domain/views/inbox";
import type { EngineContext } from "@/engine/context";
import { deadLetterRow } from "./list-dead-letters";
import { inboxRow } from "./message-rows";
import { requirePermission, roleOf } from "./require";

/** One inbox message with every arrival of its id. @returns undefined when this tenant has none of this id */
export async function readInboxMessage(ctx: EngineContext, input: { id: string }): Promise<InboxDetail | undefined> {
  requirePermission(ctx, "inbox.read");
  if (!UUID.test(input.id)) return undefined;
  const read = await readWithin(ctx.db, "detail", async (q) => {
    const row = await selectInboxMessage(q, ctx.tenantId, input.id);
    if (row === undefined) return undefined;
    return {
      row,
      arrivals: await selectArrivals(q, ctx.tenantId, input.id, row.received_at),
      deaths: await selectDeadLettersOfMessage(q, ctx.tenantId, "inbox", input.id),
      outbox: UUID.test(row.message_id) ? await selectOutboxMessage(q, ctx.tenantId, row.message_id) : undefined,
    };
  });
  if (read === undefined) return undefined;
  const { row, outbox } = read;
  const notDead =
    row.state === "dead"
      ? undefined
      : row.state === "processed"
        ? "It is processed."
        : "It waits and is handled by itself.";
  return {
    ...inboxRow(row),
    at: row.at,
    error: row.last_error ?? undefined,
    headers: row.headers,
    payloadHash: shortHash(row.payload_hash),
    payload: maskDocument(row.payload),
    arrivals: read.arrivals.map((each) => ({
      at: each.at,
      outcome: each.outcome,
      payloadHash: shortHash(each.payload_hash),
      requestId: each.request_id ?? undefined,
    })),
    deadLetters: read.deaths.map(deadLetterRow),
    outbox: outbox === undefined ? undefined : { id: outbox.id, state: outbox.state },
    actions: [actionView("requeue", roleOf(ctx.actor), "inbox.requeue", notDead)],
  };
}
