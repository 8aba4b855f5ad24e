import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleRequest } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { FindView } from "@/components/find/find-view";
import type { SearchInput } from "@/presentation/filters/search";
import { find } from "@/console/read/operations/find";

export const metadata: Metadata = { title: "Find" };

const MAX_QUERY = 300;

interface FindPageProps {
  readonly searchParams: Promise<SearchInput>;
}

/** One hit is where you wanted to go; several are a list. */
export default async function FindPage({ searchParams }: FindPageProps) {
  const { q } = await searchParams;
  const query = (typeof q === "string" ? q : (q?.[0] ?? "")).trim().slice(0, MAX_QUERY);
  const { ctx, tenants } = await consoleRequest();
  if (query === "") return <FindView query="" />;
  const found = await attempt(ctx, () => find(ctx, { q: query, others: tenants }));
  if (!found.ok)
    return (
      <PageProblem title="Find" what="The search" problem={found} retryHref={`/find?q=${encodeURIComponent(query)}`} />
    );
  const { value } = found;
  const [only, ...others] = value.kind === "found" ? value.targets : [];
  if (only !== undefined && others.length === 0) redirect(only.href);
  return <FindView query={query} found={value} />;
}
