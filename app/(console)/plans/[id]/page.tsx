import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { showRead, type SearchProps } from "@/app/_server/show-page";
import { PlanView, planTitle } from "@/components/plans/plan-view";
import { FollowPage } from "@/components/shell/live-provider";
import { parsePlanItemFilters } from "@/presentation/filters/parsers";
import { UUID } from "@/domain/uuid";
import { filterSearch } from "@/presentation/list/page-address";
import { readPlan } from "@/console/plans/read-plan";

interface PlanPageProps extends SearchProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** Once for the title and the page; what was asked for as text, so that both ask for the same. */
const read = cache(async (id: string, search: string) => {
  const ctx = await consoleContext();
  const { filters, cursor, problems } = parsePlanItemFilters(Object.fromEntries(new URLSearchParams(search)));
  return { problems, filters, plan: await attempt(ctx, () => readPlan(ctx, { id, filters, cursor })) };
});

async function planOf({ params, searchParams }: PlanPageProps) {
  const { id } = await params;
  if (!UUID.test(id)) notFound();
  const address = { path: `/plans/${id.toLowerCase()}`, search: await searchParams };
  const search = new URLSearchParams(
    Object.entries(filterSearch(address)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  return { ...(await read(id.toLowerCase(), search.toString())), address, id: id.toLowerCase() };
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
