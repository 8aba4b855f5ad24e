import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { PageProblem } from "@/components/feedback/page-problem";
import { PlansView } from "@/components/plans/plans-view";
import { FollowPage } from "@/components/shell/live-provider";
import { parsePlanFilters, planSearch } from "@/presentation/filters/plans";
import type { SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith } from "@/presentation/list/page-address";
import { listPlans } from "@/console/plans/list-plans";

export const metadata: Metadata = { title: "Plans" };

export default async function PlansPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const ctx = await consoleContext();
  const address = { path: "/plans", search: await searchParams };
  const { filters, cursor, problems } = parsePlanFilters(filterSearch(address));
  const [read, facts] = await Promise.all([
    attempt(ctx, () => listPlans(ctx, { filters, cursor })),
    listFacts(ctx, "plans"),
  ]);
  if (!read.ok) return <PageProblem title="Plans" what="The plans" problem={read} retryHref={hrefWith(address, {})} />;
  const { list } = read.value;
  return (
    <>
      {list.kind === "page" && <FollowPage page={`plans${planSearch(filters)}`} since={list.at} refresh="always" />}
      <PlansView view={read.value} filters={filters} problems={problems} address={address} facts={facts} />
    </>
  );
}
