import type { Metadata } from "next";
import { showPage, type SearchProps } from "@/app/_server/show-page";
import { RetentionView } from "@/components/retention/retention-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readRetention } from "@/console/read/deployment/read-retention";

export const metadata: Metadata = { title: "Retention" };

export default async function RetentionPage({ searchParams }: SearchProps) {
  const address = { path: "/retention", search: await searchParams };
  const { cursor } = address.search;
  return showPage(
    { title: "Retention", what: "The preview", address },
    (ctx) => readRetention(ctx, { cursor: typeof cursor === "string" ? cursor : undefined }),
    (view) => (
      <FollowPage page="retention" since={view.preview.at} refresh="ask">
        <RetentionView view={view} address={address} />
      </FollowPage>
    ),
  );
}
