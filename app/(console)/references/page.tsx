import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { consolePage } from "@/app/_server/show-page";
import { ReferencesView } from "@/components/reference/references-view";
import { findReferences } from "@/console/read/operations/find-references";
import { parseReferenceFilters } from "@/presentation/filters/references";

export const metadata: Metadata = { title: "References" };

/** One hit is where you wanted to go; several are a list. */
export default consolePage({
  title: "References",
  what: "The search",
  path: "/references",
  parse: parseReferenceFilters,
  read: (ctx, { filters }) => findReferences(ctx, filters),
  show: (found, { filters, problems }) => {
    const [only, ...others] = found.kind === "found" ? found.hits : [];
    if (only !== undefined && others.length === 0 && problems.length === 0) redirect(only.href);
    return <ReferencesView asked={filters} problems={problems} found={found} />;
  },
});
