import type { Metadata } from "next";
import { getApi, processContainer } from "@/app/_server/container";
import { consolePage } from "@/app/_server/show-page";
import { ChecklistView } from "@/components/checklist/checklist-view";
import { readChecklist } from "@/console/read/deployment/read-checklist";
import { deploymentFacts } from "@/http/admin/deployment-facts";
import { ownersOf } from "@/http/admin/policies";

export const metadata: Metadata = { title: "Checklist" };

export default consolePage({
  title: "Checklist",
  what: "The checklist",
  path: "/checklist",
  read: async (ctx) => {
    const [deps, api] = await Promise.all([processContainer(), getApi()]);
    return readChecklist(ctx, { owners: ownersOf(deps), deployment: await deploymentFacts(api, deps) });
  },
  follow: ({ at }) => ({ page: "checklist", since: at, refresh: "ask" }),
  show: (view) => <ChecklistView view={view} />,
});
