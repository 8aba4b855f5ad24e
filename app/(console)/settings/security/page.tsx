import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleRequest } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { SecurityView } from "@/components/settings/security-view";
import { readOwnSecurity } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "Your security" };

export default async function SecurityPage() {
  const { ctx, operator } = await consoleRequest();
  const view = await attempt(ctx, () => readOwnSecurity(ctx, operator));
  if (!view.ok) {
    return <PageProblem title="Your security" what="Your security" problem={view} retryHref="/settings/security" />;
  }
  return <SecurityView twoFactor={view.value.twoFactor} hasPassword={view.value.hasPassword} />;
}
