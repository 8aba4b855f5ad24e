import { Link } from "@/components/ui/link";
import type { ConflictFilters } from "@/domain/lists/filters";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { isOwnTime } from "./conflict-words";

/** To the other range; from a time of its own, back to the last 24 hours. */
export function RangeLink({ filters, address }: { readonly filters: ConflictFilters; readonly address: PageAddress }) {
  const wider = filters.range === "24h" && !isOwnTime(filters);
  const change = { range: wider ? "7d" : undefined, from: undefined, to: undefined, conflict: undefined };
  return <Link href={filterHref(address, change)}>{wider ? "Show 7 days" : "Show 24 hours"}</Link>;
}
