import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { consolePage, type SearchProps } from "@/app/_server/show-page";
import { FindView } from "@/components/find/find-view";
import { findInSources } from "@/console/sources/find-in-sources";
import { find } from "@/console/read/operations/find";

export const metadata: Metadata = { title: "Find" };

const MAX_QUERY = 300;

/** One hit is where you wanted to go; several are a list. */
export default async function FindPage({ searchParams }: SearchProps) {
  const { q } = await searchParams;
  const query = (typeof q === "string" ? q : (q?.[0] ?? "")).trim().slice(0, MAX_QUERY);
  if (query === "") return <FindView query="" />;
  return consolePage({
    title: "Find",
    what: "The search",
    path: `/find?q=${encodeURIComponent(query)}`,
    read: async (ctx, { request }) => {
      // Nothing of ours waits for somebody else's database longer than it must: both are asked at once.
      const [found, sources] = await Promise.all([
        find(ctx, { q: query, others: request.tenants }),
        findInSources(ctx, query),
      ]);
      return { found, sources };
    },
    show: ({ found, sources }) => {
      const targets = [...(found.kind === "found" ? found.targets : []), ...sources.hits];
      const [only, ...others] = targets;
      if (only !== undefined && others.length === 0) redirect(only.href);
      return <FindView query={query} found={found} sources={sources} />;
    },
  })({ searchParams });
}
