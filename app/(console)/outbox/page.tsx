import type { Metadata } from "next";
import { messagesPage } from "@/app/_server/message-page";
import { OutboxView } from "@/components/outbox/outbox-view";
import { listOutbox } from "@/console/read/messages/list-messages";
import { outboxSearch, parseOutboxFilters } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Outbox" };

export default messagesPage({
  side: "outbox",
  parse: parseOutboxFilters,
  search: outboxSearch,
  list: listOutbox,
  View: OutboxView,
});
