import { namedPage } from "@/app/_server/show-page";
import { ClientView } from "@/components/clients/client-view";
import { readClient } from "@/console/read/access/read-client";
import { parseClientFilters } from "@/presentation/filters/parsers";

const page = namedPage({
  param: "client",
  title: "Client",
  what: "This client",
  path: "/clients",
  parse: parseClientFilters,
  read: (ctx, client, { range }) => readClient(ctx, { client, range }),
  show: (detail, { address }) => <ClientView detail={detail} address={address} />,
});
export const generateMetadata = page.metadata;
export default page.Page;
