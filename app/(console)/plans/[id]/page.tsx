import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { sharedRead, showRead, type SearchProps } from "@/app/_server/show-page";
import { PlanView, planTitle } from "@/components/plans/plan-view";
import { FollowPage } from "@/components/shell/live-provider";
import { parsePlanItemFilters } from "@/presentation/filters/parsers";
import { UUID } from "@/domain/uuid";
import { filterSearch } from "@/presentation/list/page-address";
import { readPlan } from "@/console/plans/read-plan";

interface PlanPageProps extends SearchProps {
  readonly params: Promise<{ readonly id: string }>;
}

const parsed = (search: string) => parsePlanItemFilters(Object.fromEntries(new URLSearchParams(search)));
const read = sharedRead((ctx, id: string, search: string) => {
  const { filters, cursor } = parsed(search);
  return readPlan(ctx, { id, filters, cursor });
});

async function planOf({ params, searchParams }: PlanPageProps) {
  const { id } = await params;
  if (!UUID.test(id)) notFound();
  const address = { path: `/plans/${id.toLowerCase()}`, search: await searchParams };
  const search = new URLSearchParams(
    Object.entries(filterSearch(address)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  ).toString();
  return { ...parsed(search), plan: await read(id.toLowerCase(), search), address, id: id.toLowerCase() };
}

export async function generateMetadata(props: PlanPageProps): Promise<Metadata> {
  const { plan } = await planOf(props);
  return { title: plan.ok && plan.value !== undefined ? planTitle(plan.value) : "Plan" };
}

export default async function PlanPage(props: PlanPageProps) {
  const { plan, filters, problems, address, id } = await planOf(props);
  return showRead({ title: "Plan", what: "This plan", address }, plan, (view) => (
    <FollowPage page={`plans/${id}`} since={view.at} refresh="always">
      <PlanView plan={view} filters={filters} problems={problems} address={address} />
    </FollowPage>
  ));
}
