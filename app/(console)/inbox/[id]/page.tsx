import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { PageProblem } from "@/components/feedback/page-problem";
import { MessageView } from "@/components/messages/message-view";
import { FollowPage } from "@/components/shell/live-provider";
import { UUID } from "@/domain/uuid";
import { readInboxMessage } from "@/console/read/messages/read-message";

interface MessagePageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: MessagePageProps): Promise<Metadata> {
  return { title: `Message in ${(await params).id.slice(-8)}` };
}

export default async function InboxMessagePage({ params }: MessagePageProps) {
  const [ctx, { config }, { id }] = await Promise.all([consoleContext(), processContainer(), params]);
  if (!UUID.test(id)) notFound();
  const read = await attempt(ctx, () =>
    readInboxMessage(ctx, { id: id.toLowerCase(), fallback: config.outboxTransport }),
  );
  if (!read.ok) return <PageProblem title="Message in" what="This message" problem={read} retryHref={`/inbox/${id}`} />;
  if (read.value === undefined) notFound();
  return (
    <>
      <FollowPage page={`inbox-message?id=${id}`} since={read.value.at} refresh="always" />
      <MessageView message={read.value} />
    </>
  );
}
