import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { processContainer } from "@/app/_server/container";
import { consolePage, type SearchProps } from "@/app/_server/show-page";
import { PolicyPage } from "@/components/policies/policy-page";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { ownersOf } from "@/http/admin/policies";

interface OnePolicyProps extends SearchProps {
  readonly params: Promise<{ readonly operation: string }>;
}

export async function generateMetadata({ params }: OnePolicyProps): Promise<Metadata> {
  return { title: `Policy of ${(await params).operation}` };
}

export default async function OnePolicyPage({ params, searchParams }: OnePolicyProps) {
  const { operation } = await params;
  const owners = ownersOf(await processContainer());
  if (!owners.some(({ name }) => name === operation)) notFound();
  return consolePage({
    title: "Policy",
    what: "The policy",
    path: `/policies/${operation}`,
    read: (ctx) => readPolicies(ctx, owners),
    follow: ({ at }) => ({ page: "policies", since: at, refresh: "ask" }),
    show: (view) => {
      const one = view.operations.find((each) => each.operation === operation);
      return one === undefined ? notFound() : <PolicyPage view={view} operation={one} />;
    },
  })({ searchParams });
}
