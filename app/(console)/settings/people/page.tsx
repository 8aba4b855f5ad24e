import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleRequest } from "@/app/_server/console";
import { readPeople } from "@/console/read/access/read-people";
import { PageProblem } from "@/components/feedback/page-problem";
import { PeopleView } from "@/components/settings/people-view";

export const metadata: Metadata = { title: "People" };

export default async function PeoplePage() {
  const { ctx, operator } = await consoleRequest();
  const view = await attempt(ctx, () => readPeople(ctx, operator.sessionId));
  if (!view.ok) {
    return <PageProblem title="People" what="The list of people" problem={view} retryHref="/settings/people" />;
  }
  return <PeopleView view={view.value} />;
}
