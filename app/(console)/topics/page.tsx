import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { PageProblem } from "@/components/feedback/page-problem";
import { PlacesView } from "@/components/messages/places-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listTopics } from "@/console/read/messages/read-topic";
import { deploymentOf } from "@/engine/outbox/topics";

export const metadata: Metadata = { title: "Topics" };

export default async function TopicsPage() {
  const [ctx, { config }] = await Promise.all([consoleContext(), processContainer()]);
  const read = await attempt(ctx, () => listTopics(ctx, deploymentOf(config)));
  if (!read.ok) return <PageProblem title="Topics" what="The list of topics" problem={read} retryHref="/topics" />;
  return (
    <>
      <FollowPage page="topics" since={read.value.at} refresh="always" />
      <PlacesView places={read.value} />
    </>
  );
}
