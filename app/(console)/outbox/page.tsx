import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { PageProblem } from "@/components/feedback/page-problem";
import { OutboxView } from "@/components/outbox/outbox-view";
import { FollowPage } from "@/components/shell/live-provider";
import { outboxSearch, parseOutboxFilters } from "@/presentation/filters/outbox";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import { whyNot } from "@/domain/access/permission";
import { listOutbox } from "@/console/read/messages/list-messages";
import { readOutboxMessage } from "@/console/read/messages/read-message";
import { roleOf } from "@/engine/actions/require";

export const metadata: Metadata = { title: "Outbox" };

export default async function OutboxPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const [ctx, { config }] = await Promise.all([consoleContext(), processContainer()]);
  const address = { path: "/outbox", search: await searchParams };
  const { filters, cursor, problems } = parseOutboxFilters(filterSearch(address));
  const fallback = config.outboxTransport;
  const [read, open, facts] = await Promise.all([
    attempt(ctx, () => listOutbox(ctx, { filters, cursor, fallback })),
    opened(ctx, pageParam(address, "open"), (id) => readOutboxMessage(ctx, { id, fallback })),
    listFacts(ctx, "outbox"),
  ]);
  if (!read.ok)
    return <PageProblem title="Outbox" what="The outbox" problem={read} retryHref={hrefWith(address, {})} />;
  const { list } = read.value;
  return (
    <>
      {list.kind === "page" && <FollowPage page={`outbox${outboxSearch(filters)}`} since={list.at} refresh="ask" />}
      <OutboxView
        view={read.value}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
        opened={open}
        whyNot={whyNot(roleOf(ctx.actor), "outbox.requeue")}
      />
    </>
  );
}
