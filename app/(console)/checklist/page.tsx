import type { Metadata } from "next";
import { getApi, processContainer } from "@/app/_server/container";
import { showPage } from "@/app/_server/show-page";
import { ChecklistView } from "@/components/checklist/checklist-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readChecklist } from "@/console/read/deployment/read-checklist";
import { deploymentFacts } from "@/http/admin/deployment-facts";
import { ownersOf } from "@/http/admin/policies";

export const metadata: Metadata = { title: "Checklist" };

export default async function ChecklistPage() {
  const [deps, api] = await Promise.all([processContainer(), getApi()]);
  return showPage(
    { title: "Checklist", what: "The checklist", address: "/checklist" },
    async (ctx) => readChecklist(ctx, { owners: ownersOf(deps), deployment: await deploymentFacts(api, deps) }),
    (view) => (
      <FollowPage page="checklist" since={view.at} refresh="ask">
        <ChecklistView view={view} />
      </FollowPage>
    ),
  );
}
