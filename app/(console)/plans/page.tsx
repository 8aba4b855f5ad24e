import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { showPage, type SearchProps } from "@/app/_server/show-page";
import { PlansView } from "@/components/plans/plans-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listPlans } from "@/console/plans/list-plans";
import { parsePlanFilters, planSearch } from "@/presentation/filters/parsers";
import { filterSearch } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Plans" };

export default async function PlansPage({ searchParams }: SearchProps) {
  const address = { path: "/plans", search: await searchParams };
  const { filters, cursor, problems } = parsePlanFilters(filterSearch(address));
  return showPage(
    { title: "Plans", what: "The plans", address },
    (ctx) => Promise.all([listPlans(ctx, { filters, cursor }), listFacts(ctx, "plans")]),
    ([view, facts]) => (
      <>
        {view.list.kind === "page" && (
          <FollowPage page={`plans${planSearch(filters)}`} since={view.list.at} refresh="always" />
        )}
        <PlansView view={view} filters={filters} problems={problems} address={address} facts={facts} />
      </>
    ),
  );
}
