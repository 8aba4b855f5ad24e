import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { nameIn } from "@/domain/access/path-name";
import { ClientView } from "@/components/clients/client-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { parseClientFilters } from "@/presentation/filters/clients";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith } from "@/presentation/list/page-address";
import { readClient } from "@/console/read/access/read-client";

interface ClientPageProps {
  readonly params: Promise<{ readonly client: string }>;
  readonly searchParams: Promise<SearchInput>;
}

export async function generateMetadata({ params }: ClientPageProps): Promise<Metadata> {
  const client = nameIn((await params).client);
  return { title: client === undefined ? "Client" : `Client ${client}` };
}

export default async function ClientPage({ params, searchParams }: ClientPageProps) {
  const [ctx, raw, search] = await Promise.all([consoleContext(), params, searchParams]);
  const client = nameIn(raw.client);
  if (client === undefined) notFound();
  const address = { path: `/clients/${encodeURIComponent(client)}`, search };
  const { range } = parseClientFilters(filterSearch(address)).filters;
  const detail = await attempt(ctx, () => readClient(ctx, { client, range }));
  if (!detail.ok)
    return <PageProblem title="Client" what="This client" problem={detail} retryHref={hrefWith(address, {})} />;
  if (detail.value === undefined) notFound();
  return <ClientView detail={detail.value} address={address} />;
}
