import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { consolePage } from "@/app/_server/show-page";
import { PlacesView } from "@/components/messages/places-view";
import { listTopics } from "@/console/read/messages/read-topic";
import { deploymentOf } from "@/engine/outbox/topics";

export const metadata: Metadata = { title: "Topics" };

export default consolePage({
  title: "Topics",
  what: "The list of topics",
  path: "/topics",
  read: async (ctx) => listTopics(ctx, deploymentOf((await processContainer()).config)),
  follow: ({ at }) => ({ page: "topics", since: at, refresh: "always" }),
  show: (places) => <PlacesView places={places} />,
});
