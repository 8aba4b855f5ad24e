import type { Metadata } from "next";
import { showPage, type SearchProps } from "@/app/_server/show-page";
import { ClientsView } from "@/components/clients/clients-view";
import { listClients } from "@/console/read/access/list-clients";
import { parseClientFilters } from "@/presentation/filters/parsers";
import { filterSearch } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Clients" };

export default async function ClientsPage({ searchParams }: SearchProps) {
  const address = { path: "/clients", search: await searchParams };
  const { filters } = parseClientFilters(filterSearch(address));
  return showPage(
    { title: "Clients", what: "The clients", address },
    (ctx) => listClients(ctx, filters),
    (view) => <ClientsView view={view} address={address} />,
  );
}
