import type { Metadata } from "next";
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

export const metadata: Metadata = { title: "Unknown and stale" };

export default async function AttentionPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const ctx = await consoleContext();
  const address: PageAddress = { path: "/attention", search: await searchParams };
  const cursor = address.search["cursor"];
  const read = await attempt(ctx, () =>
    listAttention(ctx, { cursor: typeof cursor === "string" ? cursor : undefined }),
  );
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
