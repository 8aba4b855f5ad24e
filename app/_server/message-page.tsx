import "server-only";

import { notFound } from "next/navigation";
import { PageProblem } from "@/components/feedback/page-problem";
import { MessageView } from "@/components/messages/message-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";
import type { MessageSide } from "@/domain/messages/side";
import { UUID } from "@/domain/uuid";
import { attempt } from "./attempt";
import { consoleContext } from "./console";
import { processContainer } from "./container";

export interface MessagePageProps {
  readonly params: Promise<{ readonly id: string }>;
}

const TITLES = { outbox: "Message out", inbox: "Message in" } as const;

export async function messageMetadata(side: MessageSide, { params }: MessagePageProps) {
  return { title: `${TITLES[side]} ${(await params).id.slice(-8)}` };
}

/** The page of one message of either side. */
export async function MessagePage({ side, params }: MessagePageProps & { readonly side: MessageSide }) {
  const [ctx, { config }, { id }] = await Promise.all([consoleContext(), processContainer(), params]);
  if (!UUID.test(id)) notFound();
  const input = { id: id.toLowerCase(), fallback: config.outboxTransport };
  const read = await attempt(ctx, async () =>
    side === "outbox" ? readOutboxMessage(ctx, input) : readInboxMessage(ctx, input),
  );
  if (!read.ok)
    return <PageProblem title={TITLES[side]} what="This message" problem={read} retryHref={`/${side}/${id}`} />;
  if (read.value === undefined) notFound();
  return (
    <>
      <FollowPage page={`${side}-message?id=${id}`} since={read.value.at} refresh="always" />
      <MessageView message={read.value} />
    </>
  );
}
