"use client";

import { Link } from "@/components/ui/link";
import { usePathAhead } from "@/components/navigation/navigation-pending";
import { Glyph } from "@/components/ui/values/glyph";
import { navCountShown, navCountWords } from "@/presentation/metrics/live-status";
import { useLive } from "./live-provider";
import { isCurrent, type NavItem } from "./navigation";
import styles from "./places.module.css";

export function PlaceLinks({ items }: { readonly items: readonly NavItem[] }) {
  const path = usePathAhead();
  return items.map((item) => (
    <Link
      key={item.href}
      className={styles["place"]}
      href={item.href}
      aria-current={isCurrent(item, path) ? "page" : undefined}
    >
      {item.label}
      <NavCount item={item} />
    </Link>
  ));
}

/**
 * A count at the right of a place, and in its title what it counts; trouble only when there is any. Beside the page that one is on it is
 * the page's own, and what it is now where that differs: "26 → 52".
 */
export function NavCount({ item: { count: name, quiet, trouble } }: { readonly item: NavItem }) {
  const { counts, onPage } = useLive();
  if (name === undefined) return null;
  const now = counts[name];
  const page = onPage[name];
  if (now === undefined || (now === 0 && (page ?? 0) === 0 && quiet === true)) return null;
  const shown = now > 0 ? trouble : undefined;
  const read = page === undefined || page === now ? "" : "On this page as it was read, and now: ";
  return (
    <span
      className={`toned ${styles["count"]}`}
      data-tone={shown?.tone}
      title={`${read}${navCountWords(name, now, counts)}`}
    >
      {shown !== undefined && <Glyph name={shown.glyph} size={12} tone="inherit" />}
      {navCountShown(name, page, now)}
    </span>
  );
}
