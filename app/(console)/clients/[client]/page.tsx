import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { showPage, type SearchProps } from "@/app/_server/show-page";
import { ClientView } from "@/components/clients/client-view";
import { readClient } from "@/console/read/access/read-client";
import { nameIn } from "@/domain/access/path-name";
import { parseClientFilters } from "@/presentation/filters/parsers";
import { filterSearch } from "@/presentation/list/page-address";

interface ClientPageProps extends SearchProps {
  readonly params: Promise<{ readonly client: string }>;
}

export async function generateMetadata({ params }: ClientPageProps): Promise<Metadata> {
  const client = nameIn((await params).client);
  return { title: client === undefined ? "Client" : `Client ${client}` };
}

export default async function ClientPage({ params, searchParams }: ClientPageProps) {
  const client = nameIn((await params).client);
  if (client === undefined) notFound();
  const address = { path: `/clients/${encodeURIComponent(client)}`, search: await searchParams };
  const { range } = parseClientFilters(filterSearch(address)).filters;
  return showPage(
    { title: "Client", what: "This client", address },
    (ctx) => readClient(ctx, { client, range }),
    (detail) => <ClientView detail={detail} address={address} />,
  );
}
