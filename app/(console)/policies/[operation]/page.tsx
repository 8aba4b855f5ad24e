import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { processContainer } from "@/app/_server/container";
import { showPage } from "@/app/_server/show-page";
import { PolicyPage } from "@/components/policies/policy-page";
import { FollowPage } from "@/components/shell/live-provider";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { ownersOf } from "@/http/admin/policies";

interface OnePolicyProps {
  readonly params: Promise<{ readonly operation: string }>;
}

export async function generateMetadata({ params }: OnePolicyProps): Promise<Metadata> {
  return { title: `Policy of ${(await params).operation}` };
}

export default async function OnePolicyPage({ params }: OnePolicyProps) {
  const { operation } = await params;
  const owners = ownersOf(await processContainer());
  if (!owners.some(({ name }) => name === operation)) notFound();
  return showPage(
    { title: "Policy", what: "The policy", address: `/policies/${operation}` },
    (ctx) => readPolicies(ctx, owners),
    (view) => {
      const one = view.operations.find((each) => each.operation === operation);
      if (one === undefined) notFound();
      return (
        <FollowPage page="policies" since={view.at} refresh="ask">
          <PolicyPage view={view} operation={one} />
        </FollowPage>
      );
    },
  );
}
