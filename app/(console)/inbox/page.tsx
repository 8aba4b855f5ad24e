import type { Metadata } from "next";
import { messagesPage } from "@/app/_server/message-page";
import { InboxView } from "@/components/inbox/inbox-view";
import { listInbox } from "@/console/read/messages/list-messages";
import { inboxSearch, parseInboxFilters } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Inbox" };

export default messagesPage({
  side: "inbox",
  parse: parseInboxFilters,
  search: inboxSearch,
  list: listInbox,
  View: InboxView,
});
