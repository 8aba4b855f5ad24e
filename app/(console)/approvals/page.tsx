import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { ApprovalsView } from "@/components/approvals/approvals-view";
import { listApprovals } from "@/console/plans/list-approvals";

export const metadata: Metadata = { title: "Approvals" };

export default consolePage({
  title: "Approvals",
  what: "The approvals",
  path: "/approvals",
  read: listApprovals,
  follow: ({ at, count }) => ({ page: "plans", since: at, refresh: "always", counts: { approvals: count } }),
  show: (view) => <ApprovalsView view={view} />,
});
