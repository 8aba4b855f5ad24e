import "server-only";

import { notFound } from "next/navigation";
import type { ComponentType } from "react";
import { MessageView } from "@/components/messages/message-view";
import type { MessagesPageProps } from "@/components/messages/messages-frame";
import type { EngineContext } from "@/engine/context";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";
import type { MessageSide } from "@/domain/messages/side";
import type { RouteTransport } from "@/domain/messages/topic-route";
import { UUID } from "@/domain/uuid";
import type { Parsed, SearchInput } from "@/presentation/filters/search";
import { pageParam } from "@/presentation/list/page-address";
import { SIDE_WORDS, type AnyMessage } from "@/presentation/message/sides";
import type { NavCounts } from "@/presentation/metrics/live-status";
import type { Listed } from "@/presentation/views/common";
import type { MessageRow, MessagesView } from "@/presentation/views/messages";
import { processContainer } from "./container";
import { listFacts } from "./list-facts";
import { opened } from "./opened";
import { consolePage, whyNotHere, type SearchProps } from "./show-page";

interface MessagePageProps extends SearchProps {
  readonly params: Promise<{ readonly id: string }>;
}

const TITLES = { outbox: "Message out", inbox: "Message in" } as const;
const READS = { outbox: readOutboxMessage, inbox: readInboxMessage } as const;

/** @returns the page of one message of a side, and its title */
export function messagePage(side: MessageSide) {
  return {
    metadata: async ({ params }: MessagePageProps) => {
      return { title: `${TITLES[side]} ${(await params).id.slice(-8)}` };
    },
    Page: async ({ params, searchParams }: MessagePageProps) => {
      const [{ config }, { id }] = await Promise.all([processContainer(), params]);
      if (!UUID.test(id)) notFound();
      return consolePage<undefined, AnyMessage>({
        title: TITLES[side],
        what: "This message",
        path: `/${side}/${id}`,
        read: (ctx) => READS[side](ctx, { id: id.toLowerCase(), fallback: config.outboxTransport }),
        follow: ({ at }) => ({ page: `${side}-message?id=${id}`, since: at, refresh: "always" }),
        show: (message) => <MessageView message={message} />,
      })({ searchParams });
    },
  };
}

/** Where they were counted in time. */
function countsOf(side: MessageSide, { places }: CountedPlaces): NavCounts | undefined {
  return places && { [side]: places.open.waiting };
}

type CountedPlaces = Pick<MessagesView<MessageRow>, "places">;

interface MessagesOptions<Filters, View> {
  readonly side: MessageSide;
  readonly parse: (search: SearchInput) => Parsed<Filters>;
  readonly search: (filters: Filters) => string;
  readonly list: (
    ctx: EngineContext,
    input: { filters: Filters; cursor?: string | undefined; fallback: RouteTransport },
  ) => Promise<View>;
  readonly View: ComponentType<MessagesPageProps<View, Filters>>;
}

/** @returns the list of a side with the open message beside it */
export function messagesPage<Filters, View extends CountedPlaces & { readonly list: Listed<unknown> }>({
  side,
  parse,
  search,
  list,
  View,
}: MessagesOptions<Filters, View>) {
  return consolePage({
    title: SIDE_WORDS[side].title,
    what: `The ${side}`,
    path: `/${side}`,
    parse,
    read: async (ctx, { filters, cursor, address }) => {
      const fallback = (await processContainer()).config.outboxTransport;
      const [view, open, facts] = await Promise.all([
        list(ctx, { filters, cursor, fallback }),
        opened<AnyMessage>(ctx, pageParam(address, "open"), (id) => READS[side](ctx, { id, fallback })),
        listFacts(ctx, side),
      ]);
      return { view, opened: open, facts };
    },
    follow: ({ view: { list: page }, view }, { filters }) =>
      page.kind === "page"
        ? { page: `${side}${search(filters)}`, since: page.at, refresh: "ask", counts: countsOf(side, view) }
        : undefined,
    show: (read, { filters, problems, address, request }) => (
      <View
        {...read}
        {...{ filters, problems, address }}
        whyNot={whyNotHere(request.ctx, `${side}.requeue`)}
        whyNotPlan={whyNotHere(request.ctx, "plans.create")}
      />
    ),
  });
}
