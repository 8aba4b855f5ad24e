import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { readPermissions } from "@/console/read/access/read-permissions";
import { PageProblem } from "@/components/feedback/page-problem";
import { PermissionsView } from "@/components/settings/permissions-view";

export const metadata: Metadata = { title: "Permissions" };

export default async function PermissionsPage() {
  const ctx = await consoleContext();
  const view = await attempt(ctx, () => readPermissions(ctx));
  if (!view.ok) {
    return <PageProblem title="Permissions" what="The permissions" problem={view} retryHref="/settings/permissions" />;
  }
  return <PermissionsView view={view.value} />;
}
