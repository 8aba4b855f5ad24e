import { readWithin } from "@/db/queries/sql-text";
import { selectDeadLettersOfMessage } from "@/db/queries/console/select-dead-letters";
import { selectConsumersOfMessage } from "@/db/queries/console/select-inbox";
import { selectOutboxMessage } from "@/db/queries/console/select-outbox";
import { actionView } from "@/domain/allowed-actions";
import { UUID } from "@/domain/filters/search";
import { maskDocument } from "@/domain/mask";
import type { OutboxDetail } from "@/domain/views/outbox";
import type { EngineContext } from "@/engine/context";
import { deadLetterRow } from "./list-dead-letters";
import { outboxRow } from "./message-rows";
import { requirePermission, roleOf } from "./require";

/** One outbox message, open or published. @returns undefined when this tenant has none of this id */
export async function readOutboxMessage(ctx: EngineContext, input: { id: string }): Promise<OutboxDetail | undefined> {
  requirePermission(ctx, "outbox.read");
  if (!UUID.test(input.id)) return undefined;
  const read = await readWithin(ctx.db, "detail", async (q) => ({
    row: await selectOutboxMessage(q, ctx.tenantId, input.id),
    consumers: await selectConsumersOfMessage(q, ctx.tenantId, input.id),
    deaths: await selectDeadLettersOfMessage(q, ctx.tenantId, "outbox", input.id),
  }));
  const { row } = read;
  if (row === undefined) return undefined;
  const notDead =
    row.state === "dead"
      ? undefined
      : row.state === "published"
        ? "It is published."
        : "It waits and is tried again by itself.";
  return {
    ...outboxRow(row),
    at: row.at,
    error: row.last_error ?? undefined,
    headers: row.headers,
    payload: maskDocument(row.payload),
    consumers: read.consumers.map((each) => ({
      inboxId: each.id,
      consumer: each.consumer,
      state: each.state,
      at: each.processed_at ?? each.received_at,
    })),
    deadLetters: read.deaths.map(deadLetterRow),
    actions: [actionView("requeue", roleOf(ctx.actor), "outbox.requeue", notDead)],
  };
}
