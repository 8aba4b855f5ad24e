import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { InvariantsView } from "@/components/invariants/invariants-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readInvariantsPage } from "@/console/read/deployment/read-invariants";

export const metadata: Metadata = { title: "Invariants" };

/** What must always hold, as the last check found it. */
export default async function InvariantsPage() {
  const ctx = await consoleContext();
  const read = await attempt(ctx, () => readInvariantsPage(ctx));
  if (!read.ok) return <PageProblem title="Invariants" what="The last check" problem={read} retryHref="/invariants" />;
  return (
    <>
      <FollowPage page="invariants" since={read.value.at} refresh="always" />
      <InvariantsView view={read.value} />
    </>
  );
}
