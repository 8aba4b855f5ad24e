import type { TabLink } from "@/components/ui/tabs";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { SavedView } from "@/presentation/views/saved-views";

/** Saved views that stand beside the tabs; the others are in the menu. */
const TABS_SHOWN = 4;

/** @returns the tabs of a list with its first saved views behind them; the one that is looked at always among them */
export function withSavedTabs(
  tabs: readonly TabLink[],
  views: readonly SavedView[],
  address: PageAddress,
): readonly TabLink[] {
  const open = views.find(({ id }) => id === pageParam(address, "view"));
  const first = views.filter((view, at) => at < TABS_SHOWN || view === open);
  const saved = first.map((view) => ({ href: view.href, label: view.name, count: "saved", current: view === open }));
  return [...tabs.map((tab) => (open === undefined ? tab : { ...tab, current: false })), ...saved];
}
