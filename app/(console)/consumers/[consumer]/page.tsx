import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { nameIn } from "@/domain/access/path-name";
import { PageProblem } from "@/components/feedback/page-problem";
import { ConsumerView } from "@/components/messages/consumer-view";
import { FollowPage } from "@/components/shell/live-provider";
import { parseOverviewFilters } from "@/presentation/filters/overview";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith } from "@/presentation/list/page-address";
import { whyNot } from "@/domain/access/permission";
import { readConsumer } from "@/console/read/messages/read-consumer";
import { roleOf } from "@/engine/actions/require";

interface ConsumerPageProps {
  readonly params: Promise<{ readonly consumer: string }>;
  readonly searchParams: Promise<SearchInput>;
}

export async function generateMetadata({ params }: ConsumerPageProps): Promise<Metadata> {
  const consumer = nameIn((await params).consumer);
  return { title: consumer === undefined ? "Consumer" : `Consumer ${consumer}` };
}

export default async function ConsumerPage({ params, searchParams }: ConsumerPageProps) {
  const [ctx, raw, search] = await Promise.all([consoleContext(), params, searchParams]);
  const consumer = nameIn(raw.consumer);
  if (consumer === undefined) notFound();
  const address = { path: `/consumers/${encodeURIComponent(consumer)}`, search };
  const { range } = parseOverviewFilters(filterSearch(address)).filters;
  const read = await attempt(ctx, () => readConsumer(ctx, { consumer, range }));
  if (!read.ok)
    return <PageProblem title="Consumer" what="This consumer" problem={read} retryHref={hrefWith(address, {})} />;
  if (read.value === undefined) notFound();
  return (
    <>
      <FollowPage page={`consumer?consumer=${encodeURIComponent(consumer)}`} since={read.value.at} refresh="always" />
      <ConsumerView consumer={read.value} address={address} whyNot={whyNot(roleOf(ctx.actor), "inbox.requeue")} />
    </>
  );
}
