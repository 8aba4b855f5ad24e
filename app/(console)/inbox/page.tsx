import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { PageProblem } from "@/components/feedback/page-problem";
import { InboxView } from "@/components/inbox/inbox-view";
import { FollowPage } from "@/components/shell/live-provider";
import { inboxSearch, parseInboxFilters } from "@/presentation/filters/inbox";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import { whyNot } from "@/domain/access/permission";
import { listInbox } from "@/console/read/messages/list-messages";
import { readInboxMessage } from "@/console/read/messages/read-message";
import { roleOf } from "@/engine/actions/require";

export const metadata: Metadata = { title: "Inbox" };

export default async function InboxPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const ctx = await consoleContext();
  const address = { path: "/inbox", search: await searchParams };
  const { filters, cursor, problems } = parseInboxFilters(filterSearch(address));
  const [read, open, facts] = await Promise.all([
    attempt(ctx, () => listInbox(ctx, { filters, cursor })),
    opened(ctx, pageParam(address, "open"), (id) => readInboxMessage(ctx, { id })),
    listFacts(ctx, "inbox"),
  ]);
  if (!read.ok) return <PageProblem title="Inbox" what="The inbox" problem={read} retryHref={hrefWith(address, {})} />;
  const { list } = read.value;
  return (
    <>
      {list.kind === "page" && <FollowPage page={`inbox${inboxSearch(filters)}`} since={list.at} refresh="ask" />}
      <InboxView
        view={read.value}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
        opened={open}
        whyNot={whyNot(roleOf(ctx.actor), "inbox.requeue")}
      />
    </>
  );
}
