import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { PageProblem } from "@/components/feedback/page-problem";
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
  const ctx = await consoleContext();
  const owners = ownersOf(await processContainer());
  if (!owners.some(({ name }) => name === operation)) notFound();
  const read = await attempt(ctx, () => readPolicies(ctx, owners));
  if (!read.ok)
    return <PageProblem title="Policy" what="The policy" problem={read} retryHref={`/policies/${operation}`} />;
  const one = read.value.operations.find((view) => view.operation === operation);
  if (one === undefined) notFound();
  return (
    <>
      <FollowPage page="policies" since={read.value.at} refresh="ask" />
      <PolicyPage view={read.value} operation={one} />
    </>
  );
}
