import { namedPage, whyNotHere } from "@/app/_server/show-page";
import { ConsumerView } from "@/components/messages/consumer-view";
import { readConsumer } from "@/console/read/messages/read-consumer";
import { parseOverviewFilters } from "@/presentation/filters/parsers";

const page = namedPage({
  param: "consumer",
  title: "Consumer",
  what: "This consumer",
  path: "/consumers",
  parse: parseOverviewFilters,
  read: (ctx, consumer, { range }) => readConsumer(ctx, { consumer, range }),
  follow: ({ at, row }) => ({
    page: `consumer?consumer=${encodeURIComponent(row.place)}`,
    since: at,
    refresh: "always",
  }),
  show: (consumer, { address, request: { ctx } }) => (
    <ConsumerView consumer={consumer} address={address} whyNot={whyNotHere(ctx, "inbox.requeue")} />
  ),
});
export const generateMetadata = page.metadata;
export default page.Page;
