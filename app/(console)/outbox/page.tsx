import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { showPage, whyNotHere, type SearchProps } from "@/app/_server/show-page";
import { OutboxView } from "@/components/outbox/outbox-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listOutbox } from "@/console/read/messages/list-messages";
import { readOutboxMessage } from "@/console/read/messages/read-message";
import { outboxSearch, parseOutboxFilters } from "@/presentation/filters/parsers";
import { filterSearch, pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Outbox" };

export default async function OutboxPage({ searchParams }: SearchProps) {
  const address = { path: "/outbox", search: await searchParams };
  const { filters, cursor, problems } = parseOutboxFilters(filterSearch(address));
  const fallback = (await processContainer()).config.outboxTransport;
  return showPage(
    { title: "Outbox", what: "The outbox", address },
    (ctx) =>
      Promise.all([
        listOutbox(ctx, { filters, cursor, fallback }),
        opened(ctx, pageParam(address, "open"), (id) => readOutboxMessage(ctx, { id, fallback })),
        listFacts(ctx, "outbox"),
      ]),
    ([view, open, facts], ctx) => (
      <>
        {view.list.kind === "page" && (
          <FollowPage page={`outbox${outboxSearch(filters)}`} since={view.list.at} refresh="ask" />
        )}
        <OutboxView
          view={view}
          filters={filters}
          problems={problems}
          address={address}
          facts={facts}
          opened={open}
          whyNot={whyNotHere(ctx, "outbox.requeue")}
        />
      </>
    ),
  );
}
