import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { AttentionView } from "@/components/attention/attention-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import type { SearchInput } from "@/domain/filters/search";
import { hrefWith, type PageAddress } from "@/domain/page-address";
import { whyNot } from "@/domain/permission";
import { listAttention } from "@/engine/read/list-attention";
import { roleOf } from "@/engine/read/require";

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
  const read = await readQueue(cursorOf(address.search));
  if (!read.ok)
    return <PageProblem title="Unknown and stale" what="The queue" problem={read} retryHref={hrefWith(address, {})} />;
  const { list } = read.value;
  return (
    <>
      {list.kind === "page" && <FollowPage page="attention" since={list.at} refresh="ask" />}
      <AttentionView
        view={read.value}
        address={address}
        whyNotReconcile={whyNot(roleOf(ctx.actor), "operations.reconcile")}
      />
    </>
  );
}
