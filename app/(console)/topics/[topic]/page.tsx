import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { nameIn } from "@/domain/access/path-name";
import { PageProblem } from "@/components/feedback/page-problem";
import { TopicView } from "@/components/messages/topic-view";
import { FollowPage } from "@/components/shell/live-provider";
import { parseOverviewFilters } from "@/presentation/filters/overview";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith } from "@/presentation/list/page-address";
import { whyNot } from "@/domain/access/permission";
import { readTopic } from "@/console/read/messages/read-topic";
import { roleOf } from "@/engine/actions/require";
import { deploymentOf } from "@/engine/outbox/topics";

interface TopicPageProps {
  readonly params: Promise<{ readonly topic: string }>;
  readonly searchParams: Promise<SearchInput>;
}

export async function generateMetadata({ params }: TopicPageProps): Promise<Metadata> {
  const topic = nameIn((await params).topic);
  return { title: topic === undefined ? "Topic" : `Topic ${topic}` };
}

export default async function TopicPage({ params, searchParams }: TopicPageProps) {
  const [ctx, { config }, raw, search] = await Promise.all([
    consoleContext(),
    processContainer(),
    params,
    searchParams,
  ]);
  const topic = nameIn(raw.topic);
  if (topic === undefined) notFound();
  const address = { path: `/topics/${encodeURIComponent(topic)}`, search };
  const { range } = parseOverviewFilters(filterSearch(address)).filters;
  const read = await attempt(ctx, () => readTopic(ctx, deploymentOf(config), { topic, range }));
  if (!read.ok) return <PageProblem title="Topic" what="This topic" problem={read} retryHref={hrefWith(address, {})} />;
  if (read.value === undefined) notFound();
  return (
    <>
      <FollowPage page={`topic?topic=${encodeURIComponent(topic)}`} since={read.value.at} refresh="always" />
      <TopicView topic={read.value} address={address} whyNot={whyNot(roleOf(ctx.actor), "outbox.requeue")} />
    </>
  );
}
