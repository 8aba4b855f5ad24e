import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { showPage } from "@/app/_server/show-page";
import { PlacesView } from "@/components/messages/places-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listTopics } from "@/console/read/messages/read-topic";
import { deploymentOf } from "@/engine/outbox/topics";

export const metadata: Metadata = { title: "Topics" };

export default async function TopicsPage() {
  const { config } = await processContainer();
  return showPage(
    { title: "Topics", what: "The list of topics", address: "/topics" },
    (ctx) => listTopics(ctx, deploymentOf(config)),
    (places) => (
      <FollowPage page="topics" since={places.at} refresh="always">
        <PlacesView places={places} />
      </FollowPage>
    ),
  );
}
