import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { PageProblem } from "@/components/feedback/page-problem";
import { PoliciesView } from "@/components/policies/policies-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { ownersOf } from "@/http/admin/policies";

export const metadata: Metadata = { title: "Policies" };

export default async function PoliciesPage() {
  const ctx = await consoleContext();
  const owners = ownersOf(await processContainer());
  const read = await attempt(ctx, () => readPolicies(ctx, owners));
  if (!read.ok) return <PageProblem title="Policies" what="The policies" problem={read} retryHref="/policies" />;
  return (
    <>
      <FollowPage page="policies" since={read.value.at} refresh="ask" />
      <PoliciesView view={read.value} />
    </>
  );
}
