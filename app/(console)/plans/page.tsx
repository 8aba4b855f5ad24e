import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { consolePage } from "@/app/_server/show-page";
import { PlansView } from "@/components/plans/plans-view";
import { listPlans } from "@/console/plans/list-plans";
import { parsePlanFilters, planSearch } from "@/presentation/filters/parsers";

export const metadata: Metadata = { title: "Plans" };

export default consolePage({
  title: "Plans",
  what: "The plans",
  path: "/plans",
  parse: parsePlanFilters,
  read: (ctx, { filters, cursor }) => Promise.all([listPlans(ctx, { filters, cursor }), listFacts(ctx, "plans")]),
  follow: ([{ list, open, approvals }], { filters }) =>
    list.kind === "page"
      ? { page: `plans${planSearch(filters)}`, since: list.at, refresh: "always", counts: { plans: open, approvals } }
      : undefined,
  show: ([view, facts], { filters, problems, address }) => (
    <PlansView {...{ view, filters, problems, address, facts }} />
  ),
});
