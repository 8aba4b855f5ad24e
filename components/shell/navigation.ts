import type { GlyphName } from "@/domain/glyph";
import type { NavCounts } from "@/domain/pulse";

export interface NavItem {
  readonly href: string;
  readonly label: string;
  readonly count?: keyof NavCounts | undefined;
  /** Colour and glyph only for doubt and broken. */
  readonly trouble?: { readonly tone: "doubt" | "broken"; readonly glyph: GlyphName } | undefined;
}

export interface NavGroup {
  readonly label: "Watch" | "Work" | "Govern";
  readonly items: readonly NavItem[];
}

/** The places of the console, as words (LOOK §14). */
export const NAVIGATION: readonly NavGroup[] = [
  {
    label: "Watch",
    items: [
      { href: "/", label: "Overview" },
      { href: "/operations", label: "Operations" },
      { href: "/conflicts", label: "Conflicts", count: "conflicts" },
      { href: "/outbox", label: "Outbox", count: "outbox" },
      { href: "/inbox", label: "Inbox", count: "inbox" },
    ],
  },
  {
    label: "Work",
    items: [
      {
        href: "/attention",
        label: "Unknown and stale",
        count: "attention",
        trouble: { tone: "doubt", glyph: "unknown" },
      },
      { href: "/dead-letters", label: "Dead letters", count: "deadLetters" },
    ],
  },
  {
    label: "Govern",
    items: [
      { href: "/policies", label: "Policies" },
      { href: "/checklist", label: "Checklist" },
      { href: "/retention", label: "Retention" },
      { href: "/audit", label: "Audit" },
      { href: "/settings", label: "Settings" },
    ],
  },
];

/** @returns whether `path` is the place or lies under it. */
export function isCurrent(item: NavItem, path: string): boolean {
  return item.href === "/" ? path === "/" : path === item.href || path.startsWith(`${item.href}/`);
}

/** @returns the group of a path; a path outside every group (find) counts as Watch. */
export function groupOf(path: string): NavGroup["label"] {
  return NAVIGATION.find((group) => group.items.some((item) => isCurrent(item, path)))?.label ?? "Watch";
}
