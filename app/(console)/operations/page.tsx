import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { planKinds } from "@/app/_server/plan-kinds";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { PageProblem } from "@/components/feedback/page-problem";
import { OperationsView } from "@/components/operations/operations-view";
import { parseOperationFilters } from "@/presentation/filters/operations";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import { listOperations } from "@/console/read/operations/list-operations";
import { readCounts } from "@/console/read/deployment/read-counts";
import { readOperation } from "@/console/read/operations/read-operation";

export const metadata: Metadata = { title: "Operations" };

interface OperationsPageProps {
  readonly searchParams: Promise<SearchInput>;
}

export default async function OperationsPage({ searchParams }: OperationsPageProps) {
  const address = { path: "/operations", search: await searchParams };
  const ctx = await consoleContext();
  const { filters, cursor, problems } = parseOperationFilters(filterSearch(address));
  const open = pageParam(address, "open");
  const [list, counts, current, facts] = await Promise.all([
    attempt(ctx, () => listOperations(ctx, { filters, cursor })),
    attempt(ctx, () => readCounts(ctx)),
    opened(ctx, open, (operationId) => readOperation(ctx, { operationId })),
    listFacts(ctx, "operations"),
  ]);
  if (!list.ok)
    return <PageProblem title="Operations" what="The list" problem={list} retryHref={hrefWith(address, {})} />;
  return (
    <OperationsView
      list={list.value}
      counts={counts.ok ? counts.value : {}}
      filters={filters}
      problems={problems}
      address={address}
      facts={facts}
      kinds={planKinds(ctx, ["reconcile_operations", "release_operations", "purge_bodies"])}
      opened={current}
      now={list.value.kind === "page" ? list.value.at : new Date().toISOString()}
    />
  );
}
