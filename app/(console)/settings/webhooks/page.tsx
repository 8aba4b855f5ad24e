import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { WebhooksView } from "@/components/webhooks/webhooks-view";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { EVENT_TYPES } from "@/payments/event-types";

export const metadata: Metadata = { title: "Webhook endpoints" };

export default consolePage({
  title: "Webhook endpoints",
  what: "The webhook endpoints",
  path: "/settings/webhooks",
  read: async (ctx) => ({ view: await readEndpoints(ctx, EVENT_TYPES), sources: await readEventSources(ctx) }),
  show: ({ view, sources }) => <WebhooksView view={view} sources={sources} />,
});
