import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { planKinds } from "@/app/_server/plan-kinds";
import { consolePage } from "@/app/_server/show-page";
import { OperationsView } from "@/components/operations/operations-view";
import { readOperation } from "@/console/read/operations/read-operation";
import { readOperationsPage } from "@/console/read/operations/read-operations-page";
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
      readOperationsPage(ctx, { filters, cursor }),
      opened(ctx, pageParam(address, "open"), (operationId) => readOperation(ctx, { operationId })),
      listFacts(ctx, "operations"),
    ]),
  show: ([{ list, counts }, current, facts], { filters, problems, address, request: { ctx } }) => (
    <OperationsView
      {...{ list, counts, filters, problems, address, facts }}
      kinds={planKinds(ctx, ["reconcile_operations", "release_operations", "purge_bodies"])}
      opened={current}
      now={list.kind === "page" ? list.at : new Date().toISOString()}
    />
  ),
});
