import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { processContainer } from "@/app/_server/container";
import { showPage, whyNotHere, type SearchProps } from "@/app/_server/show-page";
import { TopicView } from "@/components/messages/topic-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readTopic } from "@/console/read/messages/read-topic";
import { nameIn } from "@/domain/access/path-name";
import { deploymentOf } from "@/engine/outbox/topics";
import { parseOverviewFilters } from "@/presentation/filters/parsers";
import { filterSearch } from "@/presentation/list/page-address";

interface TopicPageProps extends SearchProps {
  readonly params: Promise<{ readonly topic: string }>;
}

export async function generateMetadata({ params }: TopicPageProps): Promise<Metadata> {
  const topic = nameIn((await params).topic);
  return { title: topic === undefined ? "Topic" : `Topic ${topic}` };
}

export default async function TopicPage({ params, searchParams }: TopicPageProps) {
  const { config } = await processContainer();
  const topic = nameIn((await params).topic);
  if (topic === undefined) notFound();
  const address = { path: `/topics/${encodeURIComponent(topic)}`, search: await searchParams };
  const { range } = parseOverviewFilters(filterSearch(address)).filters;
  return showPage(
    { title: "Topic", what: "This topic", address },
    (ctx) => readTopic(ctx, deploymentOf(config), { topic, range }),
    (view, ctx) => (
      <FollowPage page={`topic?topic=${encodeURIComponent(topic)}`} since={view.at} refresh="always">
        <TopicView topic={view} address={address} whyNot={whyNotHere(ctx, "outbox.requeue")} />
      </FollowPage>
    ),
  );
}
