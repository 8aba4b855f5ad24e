import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { WebhooksView } from "@/components/webhooks/webhooks-view";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { EVENT_TYPES } from "@/payments/event-types";

export const metadata: Metadata = { title: "Webhook endpoints" };

export default function WebhooksPage() {
  return showPage(
    { title: "Webhook endpoints", what: "The webhook endpoints", address: "/settings/webhooks" },
    async (ctx) => [await readEndpoints(ctx, EVENT_TYPES), await readEventSources(ctx)] as const,
    ([endpoints, sources]) => <WebhooksView view={endpoints} sources={sources} />,
  );
}
