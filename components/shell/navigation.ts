import type { GlyphName } from "@/presentation/format/glyph";
import type { NavCountName, NavCounts } from "@/presentation/metrics/live-status";

export interface NavPlace {
  readonly href: string;
  readonly label: string;
}

export interface NavItem extends NavPlace {
  /** Other pages that belong to it: they are not in the rail, and the palette goes to them. */
  readonly within?: readonly NavPlace[] | undefined;
  readonly count?: NavCountName | undefined;
  /** Counts what is wrong: nothing is said while there is nothing. */
  readonly quiet?: boolean | undefined;
  /** Colour and glyph only for doubt and broken. */
  readonly trouble?: { readonly tone: "doubt" | "broken"; readonly glyph: GlyphName } | undefined;
}

export interface NavGroup {
  readonly label: "Watch" | "Work" | "Govern";
  readonly items: readonly NavItem[];
}

/** Pages of settings beside the deployment. */
export const SETTINGS_PLACES = [
  { href: "/settings/people", label: "People" },
  { href: "/settings/sessions", label: "Your sessions" },
  { href: "/settings/security", label: "Your security" },
  { href: "/settings/permissions", label: "Permissions" },
  { href: "/settings/webhooks", label: "Webhook endpoints" },
  { href: "/settings/alerts", label: "Alerts" },
  { href: "/settings/attachments", label: "Attachments" },
] as const;

export const NAVIGATION: readonly NavGroup[] = [
  {
    label: "Watch",
    items: [
      { href: "/", label: "Overview" },
      { href: "/operations", label: "Operations", within: [{ href: "/references", label: "References" }] },
      { href: "/conflicts", label: "Conflicts", count: "conflicts" },
      {
        href: "/outbox",
        label: "Outbox",
        count: "outbox",
        within: [
          { href: "/flow", label: "Flow" },
          { href: "/topics", label: "Topics" },
        ],
      },
      { href: "/inbox", label: "Inbox", count: "inbox", within: [{ href: "/consumers", label: "Consumers" }] },
      { href: "/metrics", label: "Metrics", within: [{ href: "/metrics/clients", label: "Clients by time" }] },
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
      { href: "/plans", label: "Plans", count: "plans" },
      { href: "/approvals", label: "Approvals", count: "approvals" },
    ],
  },
  {
    label: "Govern",
    items: [
      { href: "/retention", label: "Retention" },
      {
        href: "/invariants",
        label: "Invariants",
        count: "violated",
        trouble: { tone: "broken", glyph: "dead" },
        quiet: true,
      },
      { href: "/clients", label: "Clients" },
      { href: "/checklist", label: "Checklist" },
      { href: "/policies", label: "Policies" },
      { href: "/audit", label: "Audit" },
      {
        href: "/settings",
        label: "Settings",
        within: [{ href: "/settings/attachments/new", label: "Attach a database" }, ...SETTINGS_PLACES],
      },
    ],
  },
];

/** @returns whether `path` is the place or lies under it. */
export function isCurrent(item: NavItem, path: string): boolean {
  if (item.href === "/") return path === "/";
  return [item, ...(item.within ?? [])].some(({ href }) => isUnder(href, path));
}

/** @returns whether `path` is `href` or lies under it */
export function isUnder(href: string, path: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

/** @returns the group of a path; a path outside every group (find) counts as Watch. */
export function groupOf(path: string): NavGroup["label"] {
  return NAVIGATION.find((group) => group.items.some((item) => isCurrent(item, path)))?.label ?? "Watch";
}

/** @returns what stands at the right of a place; 0 where nothing is counted. */
export function countOf(item: NavItem, counts: NavCounts): number {
  return (item.count === undefined ? undefined : counts[item.count]) ?? 0;
}
