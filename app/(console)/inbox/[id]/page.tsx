import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { processContainer } from "@/app/_server/container";
import { showPage } from "@/app/_server/show-page";
import { InboxMessageView } from "@/components/inbox/inbox-message-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readInboxMessage } from "@/console/read/messages/read-message";
import { UUID } from "@/domain/uuid";

interface MessagePageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: MessagePageProps): Promise<Metadata> {
  return { title: `Message in ${(await params).id.slice(-8)}` };
}

export default async function InboxMessagePage({ params }: MessagePageProps) {
  const [{ config }, { id }] = await Promise.all([processContainer(), params]);
  if (!UUID.test(id)) notFound();
  return showPage(
    { title: "Message in", what: "This message", address: `/inbox/${id}` },
    (ctx) => readInboxMessage(ctx, { id: id.toLowerCase(), fallback: config.outboxTransport }),
    (message) => (
      <FollowPage page={`inbox-message?id=${id}`} since={message.at} refresh="always">
        <InboxMessageView message={message} />
      </FollowPage>
    ),
  );
}
