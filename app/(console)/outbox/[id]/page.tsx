import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { processContainer } from "@/app/_server/container";
import { showPage } from "@/app/_server/show-page";
import { OutboxMessageView } from "@/components/outbox/outbox-message-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readOutboxMessage } from "@/console/read/messages/read-message";
import { UUID } from "@/domain/uuid";

interface MessagePageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: MessagePageProps): Promise<Metadata> {
  return { title: `Message out ${(await params).id.slice(-8)}` };
}

export default async function OutboxMessagePage({ params }: MessagePageProps) {
  const [{ config }, { id }] = await Promise.all([processContainer(), params]);
  if (!UUID.test(id)) notFound();
  return showPage(
    { title: "Message out", what: "This message", address: `/outbox/${id}` },
    (ctx) => readOutboxMessage(ctx, { id: id.toLowerCase(), fallback: config.outboxTransport }),
    (message) => (
      <FollowPage page={`outbox-message?id=${id}`} since={message.at} refresh="always">
        <OutboxMessageView message={message} />
      </FollowPage>
    ),
  );
}
