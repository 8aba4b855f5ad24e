import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { PlacesView } from "@/components/messages/places-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listConsumers } from "@/console/read/messages/read-consumer";

export const metadata: Metadata = { title: "Consumers" };

export default async function ConsumersPage() {
  const ctx = await consoleContext();
  const read = await attempt(ctx, () => listConsumers(ctx));
  if (!read.ok)
    return <PageProblem title="Consumers" what="The list of consumers" problem={read} retryHref="/consumers" />;
  return (
    <>
      <FollowPage page="consumers" since={read.value.at} refresh="always" />
      <PlacesView places={read.value} />
    </>
  );
}
