import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { consolePage, whyNotHere } from "@/app/_server/show-page";
import { FlowView } from "@/components/flow/flow-view";
import { readFlowPage } from "@/console/read/messages/read-flow-page";
import { deploymentOf } from "@/engine/outbox/topics";
import { parseFlowFilters } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Flow" };

export default consolePage({
  title: "Flow",
  what: "The flow",
  path: "/flow",
  parse: parseFlowFilters,
  read: async (ctx, { filters: { window, node } }) => {
    const { config, modules } = await processContainer();
    return readFlowPage(ctx, deploymentOf(config), { window, node, types: Object.keys(modules.events) });
  },
  follow: ({ flow }) => ({ page: "flow", since: flow.at, refresh: "always" }),
  show: ({ flow, detail }, { address, filters, request: { ctx } }) => (
    <FlowView
      flow={flow}
      detail={detail}
      address={address}
      all={filters.rows === "all"}
      whyNot={{ outbox: whyNotHere(ctx, "outbox.requeue"), inbox: whyNotHere(ctx, "inbox.requeue") }}
    />
  ),
});
