import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { showPage, whyNotHere, type SearchProps } from "@/app/_server/show-page";
import { ConsumerView } from "@/components/messages/consumer-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readConsumer } from "@/console/read/messages/read-consumer";
import { nameIn } from "@/domain/access/path-name";
import { parseOverviewFilters } from "@/presentation/filters/parsers";
import { filterSearch } from "@/presentation/list/page-address";

interface ConsumerPageProps extends SearchProps {
  readonly params: Promise<{ readonly consumer: string }>;
}

export async function generateMetadata({ params }: ConsumerPageProps): Promise<Metadata> {
  const consumer = nameIn((await params).consumer);
  return { title: consumer === undefined ? "Consumer" : `Consumer ${consumer}` };
}

export default async function ConsumerPage({ params, searchParams }: ConsumerPageProps) {
  const consumer = nameIn((await params).consumer);
  if (consumer === undefined) notFound();
  const address = { path: `/consumers/${encodeURIComponent(consumer)}`, search: await searchParams };
  const { range } = parseOverviewFilters(filterSearch(address)).filters;
  return showPage(
    { title: "Consumer", what: "This consumer", address },
    (ctx) => readConsumer(ctx, { consumer, range }),
    (view, ctx) => (
      <FollowPage page={`consumer?consumer=${encodeURIComponent(consumer)}`} since={view.at} refresh="always">
        <ConsumerView consumer={view} address={address} whyNot={whyNotHere(ctx, "inbox.requeue")} />
      </FollowPage>
    ),
  );
}
