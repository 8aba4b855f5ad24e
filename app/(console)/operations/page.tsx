import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { planKinds } from "@/app/_server/plan-kinds";
import { consolePage } from "@/app/_server/show-page";
import { OperationsView } from "@/components/operations/operations-view";
import { readCounts } from "@/console/read/deployment/read-counts";
import { listOperations } from "@/console/read/operations/list-operations";
import { readOperation } from "@/console/read/operations/read-operation";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import { pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Operations" };

export default consolePage({
  title: "Operations",
  what: "The list",
  path: "/operations",
  parse: parseOperationFilters,
  read: (ctx, { filters, cursor, address }) =>
    Promise.all([
      listOperations(ctx, { filters, cursor }),
      attempt(ctx, () => readCounts(ctx)),
      opened(ctx, pageParam(address, "open"), (operationId) => readOperation(ctx, { operationId })),
      listFacts(ctx, "operations"),
    ]),
  show: ([list, counts, current, facts], { filters, problems, address, request: { ctx } }) => (
    <OperationsView
      {...{ list, filters, problems, address, facts }}
      counts={counts.ok ? counts.value : {}}
      kinds={planKinds(ctx, ["reconcile_operations", "release_operations", "purge_bodies"])}
      opened={current}
      now={list.kind === "page" ? list.at : new Date().toISOString()}
    />
  ),
});
