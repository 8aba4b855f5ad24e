import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleRequest } from "@/app/_server/console";
import { readOwnSessions } from "@/console/read/access/read-people";
import { PageProblem } from "@/components/feedback/page-problem";
import { SessionsView } from "@/components/settings/sessions-view";

export const metadata: Metadata = { title: "Your sessions" };

export default async function SessionsPage() {
  const { ctx, operator } = await consoleRequest();
  const view = await attempt(ctx, () => readOwnSessions(ctx, operator.sessionId));
  if (!view.ok) {
    return <PageProblem title="Your sessions" what="Your sessions" problem={view} retryHref="/settings/sessions" />;
  }
  return <SessionsView view={view.value} />;
}
