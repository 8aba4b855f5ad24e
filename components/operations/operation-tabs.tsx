import { Tabs } from "@/components/ui/tabs";
import { withSavedTabs } from "@/components/views/saved-tabs";
import { formatCount } from "@/presentation/format/display-time";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { CountView } from "@/presentation/views/common";
import type { SavedView } from "@/presentation/views/saved-views";
import type { ShownState } from "@/domain/lists/filters";

const TABS: readonly { readonly state: ShownState | undefined; readonly label: string }[] = [
  { state: undefined, label: "All" },
  { state: "IN_PROGRESS", label: "In progress" },
  { state: "UNKNOWN_REQUIRES_RECOVERY", label: "Unknown" },
  { state: "STALE", label: "Stale" },
  { state: "FAILED_RETRYABLE", label: "Failed, may retry" },
  { state: "FAILED_REPLAYABLE", label: "Failed, final" },
  { state: "COMPLETED", label: "Completed" },
  { state: "EXPIRED", label: "Expired" },
];

/** Counts by name: a state, or `all`. */
export type Counts = Readonly<Record<string, CountView | undefined>>;

export interface OperationTabsProps {
  readonly address: PageAddress;
  readonly states: readonly ShownState[];
  readonly counts: Counts;
  readonly views: readonly SavedView[];
}

export function OperationTabs({ address, states, counts, views }: OperationTabsProps) {
  const [only, ...others] = states;
  return (
    <Tabs
      label="By state"
      tabs={withSavedTabs(
        TABS.map(({ state, label }) => ({
          href: filterHref(address, { state, view: undefined }),
          label,
          count: state === undefined ? undefined : sayCount(counts[state]),
          current: others.length === 0 && only === state,
        })),
        views,
        address,
      )}
    />
  );
}

/** "12", "10,000+", "~1.24 M"; undefined while it was never counted. */
export function sayCount(count: CountView | undefined): string | undefined {
  if (count === undefined) return undefined;
  if (count.kind === "at_least") return `${formatCount(count.value)}+`;
  return formatCount(count.value, count.kind === "estimate");
}
