import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { getApi, processContainer } from "@/app/_server/container";
import { ChecklistView } from "@/components/checklist/checklist-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { readChecklist } from "@/console/read/deployment/read-checklist";
import { deploymentFacts } from "@/http/admin/deployment-facts";
import { ownersOf } from "@/http/admin/policies";

export const metadata: Metadata = { title: "Checklist" };

export default async function ChecklistPage() {
  const [ctx, deps, api] = await Promise.all([consoleContext(), processContainer(), getApi()]);
  const read = await attempt(ctx, async () =>
    readChecklist(ctx, { owners: ownersOf(deps), deployment: await deploymentFacts(api, deps) }),
  );
  if (!read.ok) return <PageProblem title="Checklist" what="The checklist" problem={read} retryHref="/checklist" />;
  return (
    <>
      <FollowPage page="checklist" since={read.value.at} refresh="ask" />
      <ChecklistView view={read.value} />
    </>
  );
}
