import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { WebhooksView } from "@/components/webhooks/webhooks-view";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { EVENT_TYPES } from "@/payments/event-types";

export const metadata: Metadata = { title: "Webhook endpoints" };

export default async function WebhooksPage() {
  const ctx = await consoleContext();
  const view = await attempt(ctx, async () => ({
    endpoints: await readEndpoints(ctx, EVENT_TYPES),
    sources: await readEventSources(ctx),
  }));
  if (!view.ok) {
    return (
      <PageProblem
        title="Webhook endpoints"
        what="The webhook endpoints"
        problem={view}
        retryHref="/settings/webhooks"
      />
    );
  }
  return <WebhooksView view={view.value.endpoints} sources={view.value.sources} />;
}
