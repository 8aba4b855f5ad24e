import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { ClientsView } from "@/components/clients/clients-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { parseClientFilters } from "@/presentation/filters/clients";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith } from "@/presentation/list/page-address";
import { listClients } from "@/console/read/access/list-clients";

export const metadata: Metadata = { title: "Clients" };

export default async function ClientsPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const [ctx, search] = await Promise.all([consoleContext(), searchParams]);
  const address = { path: "/clients", search };
  const { filters } = parseClientFilters(filterSearch(address));
  const view = await attempt(ctx, () => listClients(ctx, filters));
  if (!view.ok)
    return <PageProblem title="Clients" what="The clients" problem={view} retryHref={hrefWith(address, {})} />;
  return <ClientsView view={view.value} address={address} />;
}
