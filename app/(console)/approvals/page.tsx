import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { ApprovalsView } from "@/components/approvals/approvals-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { listApprovals } from "@/console/plans/list-approvals";

export const metadata: Metadata = { title: "Approvals" };

export default async function ApprovalsPage() {
  const ctx = await consoleContext();
  const read = await attempt(ctx, () => listApprovals(ctx));
  if (!read.ok) return <PageProblem title="Approvals" what="The approvals" problem={read} retryHref="/approvals" />;
  return (
    <>
      <FollowPage page="plans" since={read.value.at} refresh="always" />
      <ApprovalsView view={read.value} />
    </>
  );
}
