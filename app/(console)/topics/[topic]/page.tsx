import { processContainer } from "@/app/_server/container";
import { namedPage, whyNotHere } from "@/app/_server/show-page";
import { TopicView } from "@/components/messages/topic-view";
import { readTopic } from "@/console/read/messages/read-topic";
import { deploymentOf } from "@/engine/outbox/topics";
import { parseOverviewFilters } from "@/presentation/filters/parsers";

const page = namedPage({
  param: "topic",
  title: "Topic",
  what: "This topic",
  path: "/topics",
  parse: parseOverviewFilters,
  read: async (ctx, topic, { range }) =>
    readTopic(ctx, deploymentOf((await processContainer()).config), { topic, range }),
  follow: ({ at, row }) => ({ page: `topic?topic=${encodeURIComponent(row.place)}`, since: at, refresh: "always" }),
  show: (topic, { address, request: { ctx } }) => (
    <TopicView topic={topic} address={address} whyNot={whyNotHere(ctx, "outbox.requeue")} />
  ),
});
export const generateMetadata = page.metadata;
export default page.Page;
