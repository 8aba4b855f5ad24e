import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { consolePage } from "@/app/_server/show-page";
import { WebhooksView } from "@/components/webhooks/webhooks-view";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { readEndpoints } from "@/console/webhooks/read-endpoints";

export const metadata: Metadata = { title: "Webhook endpoints" };

export default consolePage({
  title: "Webhook endpoints",
  what: "The webhook endpoints",
  path: "/settings/webhooks",
  async read(ctx) {
    const { events } = (await processContainer()).modules;
    return { view: await readEndpoints(ctx, Object.keys(events)), sources: await readEventSources(ctx) };
  },
  show: ({ view, sources }) => <WebhooksView view={view} sources={sources} />,
});
