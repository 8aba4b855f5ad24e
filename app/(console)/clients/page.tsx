import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { ClientsView } from "@/components/clients/clients-view";
import { listClients } from "@/console/read/access/list-clients";
import { parseClientFilters } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Clients" };

export default consolePage({
  title: "Clients",
  what: "The clients",
  path: "/clients",
  parse: parseClientFilters,
  read: (ctx, { filters }) => listClients(ctx, filters),
  show: (view, { address }) => <ClientsView view={view} address={address} />,
});
