import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { consolePage, type SearchProps } from "@/app/_server/show-page";
import { FindView } from "@/components/find/find-view";
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
    read: (ctx, { request }) => find(ctx, { q: query, others: request.tenants }),
    show: (found) => {
      const [only, ...others] = found.kind === "found" ? found.targets : [];
      if (only !== undefined && others.length === 0) redirect(only.href);
      return <FindView query={query} found={found} />;
    },
  })({ searchParams });
}
