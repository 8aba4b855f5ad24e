import "server-only";

import { notFound } from "next/navigation";
import { MessageView } from "@/components/messages/message-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";
import type { MessageSide } from "@/domain/messages/side";
import { UUID } from "@/domain/uuid";
import type { InboxDetail } from "@/presentation/views/inbox";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { processContainer } from "./container";
import { showPage } from "./show-page";

export interface MessagePageProps {
  readonly params: Promise<{ readonly id: string }>;
}

const TITLES = { outbox: "Message out", inbox: "Message in" } as const;

export async function messageMetadata(side: MessageSide, { params }: MessagePageProps) {
  return { title: `${TITLES[side]} ${(await params).id.slice(-8)}` };
}

/** The page of one message of either side. */
export async function MessagePage({ side, params }: MessagePageProps & { readonly side: MessageSide }) {
  const [{ config }, { id }] = await Promise.all([processContainer(), params]);
  if (!UUID.test(id)) notFound();
  const input = { id: id.toLowerCase(), fallback: config.outboxTransport };
  return showPage<InboxDetail | OutboxDetail>(
    { title: TITLES[side], what: "This message", address: `/${side}/${id}` },
    (ctx) => (side === "outbox" ? readOutboxMessage(ctx, input) : readInboxMessage(ctx, input)),
    (message) => (
      <FollowPage page={`${side}-message?id=${id}`} since={message.at} refresh="always">
        <MessageView message={message} />
      </FollowPage>
    ),
  );
}
