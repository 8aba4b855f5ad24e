import { ButtonLink } from "@/components/ui/button";
import { narrowerRange, type LookedHours } from "@/presentation/list/list-answers";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";

interface NarrowerTimeProps {
  readonly address: PageAddress;
  /** Over how much time the search looked that was stopped. */
  readonly hours: LookedHours;
}

/** What to do about a search that took too long: a shorter time where there is one, else the same again. */
export function NarrowerTime({ address, hours }: NarrowerTimeProps) {
  const range = narrowerRange(hours);
  const href =
    range === undefined ? hrefWith(address, {}) : filterHref(address, { range, from: undefined, to: undefined });
  return (
    <ButtonLink small href={href}>
      {range === undefined ? "Read again" : range === "24h" ? "Use 24 hours" : "Use 1 hour"}
    </ButtonLink>
  );
}
