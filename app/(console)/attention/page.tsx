import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { planKinds } from "@/app/_server/plan-kinds";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { AttentionView } from "@/components/attention/attention-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import type { SearchInput } from "@/presentation/filters/search";
import { hrefWith, pageParam, type PageAddress } from "@/presentation/list/page-address";
import { whyNot } from "@/domain/access/permission";
import { listAttention } from "@/console/read/operations/list-attention";
import { readOperation } from "@/console/read/operations/read-operation";
import { roleOf } from "@/engine/actions/require";

interface AttentionPageProps {
  readonly searchParams: Promise<SearchInput>;
}

/** Once for the title and the page. */
const readQueue = cache(async (cursor: string | undefined) => {
  const ctx = await consoleContext();
  return attempt(ctx, () => listAttention(ctx, { cursor }));
});

function cursorOf({ cursor }: SearchInput): string | undefined {
  return typeof cursor === "string" ? cursor : undefined;
}

export async function generateMetadata({ searchParams }: AttentionPageProps): Promise<Metadata> {
  const read = await readQueue(cursorOf(await searchParams));
  return { title: read.ok ? read.value.verdict.text : "Unknown and stale" };
}

export default async function AttentionPage({ searchParams }: AttentionPageProps) {
  const ctx = await consoleContext();
  const address: PageAddress = { path: "/attention", search: await searchParams };
  const [read, open, facts] = await Promise.all([
    readQueue(cursorOf(address.search)),
    opened(ctx, pageParam(address, "open"), (operationId) => readOperation(ctx, { operationId })),
    listFacts(ctx, "attention"),
  ]);
  if (!read.ok)
    return <PageProblem title="Unknown and stale" what="The queue" problem={read} retryHref={hrefWith(address, {})} />;
  const { list } = read.value;
  return (
    <>
      {list.kind === "page" && <FollowPage page="attention" since={list.at} refresh="ask" />}
      <AttentionView
        view={read.value}
        address={address}
        facts={facts}
        kinds={planKinds(ctx, ["reconcile_operations", "release_operations"])}
        whyNotAssign={whyNot(roleOf(ctx.actor), "operations.assign")}
        opened={open}
        whyNotReconcile={whyNot(roleOf(ctx.actor), "operations.reconcile")}
      />
    </>
  );
}
