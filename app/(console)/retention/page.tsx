import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { RetentionView } from "@/components/retention/retention-view";
import { FollowPage } from "@/components/shell/live-provider";
import type { SearchInput } from "@/presentation/filters/search";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { readRetention } from "@/console/read/deployment/read-retention";

export const metadata: Metadata = { title: "Retention" };

export default async function RetentionPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const ctx = await consoleContext();
  const address: PageAddress = { path: "/retention", search: await searchParams };
  const cursor = address.search["cursor"];
  const read = await attempt(ctx, () =>
    readRetention(ctx, { cursor: typeof cursor === "string" ? cursor : undefined }),
  );
  if (!read.ok)
    return <PageProblem title="Retention" what="The preview" problem={read} retryHref={hrefWith(address, {})} />;
  return (
    <>
      <FollowPage page="retention" since={read.value.preview.at} refresh="ask" />
      <RetentionView view={read.value} address={address} />
    </>
  );
}
