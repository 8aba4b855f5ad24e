import { selectDeadLetters } from "@/db/messages/select-dead-letters";
import { selectInbox } from "@/db/inbox/select-inbox";
import { selectOutbox } from "@/db/outbox/select-outbox";
import { judgeDeadLetters, outlooksOfDeadLetters } from "@/console/plans/judge-dead-letters";
import { endpointLabels } from "@/console/read/messages/endpoint-labels";
import { judgedOf, readDeadFacts } from "@/console/read/messages/judged-rows";
import { deadLetterRow } from "@/console/read/messages/list-dead-letters";
import { inboxRow, outboxRow } from "@/console/read/messages/message-rows";
import { wants, type ListSource } from "./list-source";
import type { RouteTransport } from "@/domain/messages/topic-route";
import type { DeadLetterFilters, InboxFilters, OutboxFilters } from "@/domain/lists/filters";
import type { Opening } from "@/engine/messages/sealed-message";

const VERDICT = ["verdict", "safe_to_act", "outlook", "outlook_why"] as const;

/** The list of the outbox: what is open, or what was published. @param fallback OUTBOX_TRANSPORT */
export function outboxSource(ctx: Opening, filters: OutboxFilters, fallback: RouteTransport): ListSource<"outbox"> {
  const published = filters.state === "published";
  return {
    direction: published ? "desc" : "asc",
    async read(q, page, wanted) {
      const rows = await selectOutbox(q, ctx.tenantId, filters, page, fallback);
      const dead = wants(wanted, ...VERDICT) ? await readDeadFacts(q, ctx, "outbox", rows) : undefined;
      return rows.map((row) => ({
        record: { ...outboxRow(row, fallback), ...judgedOf(row, dead) },
        place: { value: row.sortValue, id: row.id },
      }));
    },
  };
}

/** The list of the inbox: one row for each message and consumer, not for each arrival. */
export function inboxSource(ctx: Opening, filters: InboxFilters): ListSource<"inbox"> {
  return {
    direction: "desc",
    async read(q, page, wanted) {
      const rows = await selectInbox(q, ctx.tenantId, filters, page);
      const dead = wants(wanted, ...VERDICT) ? await readDeadFacts(q, ctx, "inbox", rows) : undefined;
      return rows.map((row) => ({
        record: { ...inboxRow(row), ...judgedOf(row, dead) },
        place: { value: row.receivedAt, id: row.id },
      }));
    },
  };
}

/** Dead letters of all causes of a filter, newest first. */
export function deadLettersSource(ctx: Opening, filters: DeadLetterFilters): ListSource<"dead-letters"> {
  let named: ((topic: string) => string) | undefined;
  return {
    direction: "desc",
    async read(q, page, wanted) {
      const rows = await selectDeadLetters(q, ctx.tenantId, filters, page);
      const nameOf = (named ??= await endpointLabels(q, ctx.tenantId));
      const judged = wants(wanted, ...VERDICT) ? await judgeDeadLetters(q, ctx, "requeue", rows) : undefined;
      const again = rows.filter(({ id }) => judged?.get(id)?.act === "requeue");
      const outlooks = await outlooksOfDeadLetters(q, ctx.tenantId, again);
      return rows.map((row) => ({
        record: {
          ...deadLetterRow(row),
          judged: judged?.get(row.id),
          judgedOutlook: outlooks.get(row.id),
          placeName: nameOf(row.place),
        },
        place: { value: row.deadAt, id: row.id },
      }));
    },
  };
}
