import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { ApprovalsView } from "@/components/approvals/approvals-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listApprovals } from "@/console/plans/list-approvals";

export const metadata: Metadata = { title: "Approvals" };

export default function ApprovalsPage() {
  return showPage({ title: "Approvals", what: "The approvals", address: "/approvals" }, listApprovals, (view) => (
    <FollowPage page="plans" since={view.at} refresh="always">
      <ApprovalsView view={view} />
    </FollowPage>
  ));
}
