import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { showPage, whyNotHere, type SearchProps } from "@/app/_server/show-page";
import { InboxView } from "@/components/inbox/inbox-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listInbox } from "@/console/read/messages/list-messages";
import { readInboxMessage } from "@/console/read/messages/read-message";
import { inboxSearch, parseInboxFilters } from "@/presentation/filters/parsers";
import { filterSearch, pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Inbox" };

export default async function InboxPage({ searchParams }: SearchProps) {
  const address = { path: "/inbox", search: await searchParams };
  const { filters, cursor, problems } = parseInboxFilters(filterSearch(address));
  return showPage(
    { title: "Inbox", what: "The inbox", address },
    (ctx) =>
      Promise.all([
        listInbox(ctx, { filters, cursor }),
        opened(ctx, pageParam(address, "open"), (id) => readInboxMessage(ctx, { id })),
        listFacts(ctx, "inbox"),
      ]),
    ([view, open, facts], ctx) => (
      <>
        {view.list.kind === "page" && (
          <FollowPage page={`inbox${inboxSearch(filters)}`} since={view.list.at} refresh="ask" />
        )}
        <InboxView
          view={view}
          filters={filters}
          problems={problems}
          address={address}
          facts={facts}
          opened={open}
          whyNot={whyNotHere(ctx, "inbox.requeue")}
        />
      </>
    ),
  );
}
