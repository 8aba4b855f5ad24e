"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Glyph } from "@/components/ui/values/glyph";
import { formatCount } from "@/presentation/format/display-time";
import { useLive } from "./live-provider";
import { isCurrent, type NavItem } from "./navigation";
import styles from "./places.module.css";

export function PlaceLinks({ items }: { readonly items: readonly NavItem[] }) {
  const path = usePathname();
  const { counts } = useLive();
  return items.map((item) => (
    <Link
      key={item.href}
      className={styles["place"]}
      href={item.href}
      aria-current={isCurrent(item, path) ? "page" : undefined}
    >
      {item.label}
      <NavCount item={item} count={item.count === undefined ? undefined : counts[item.count]} />
    </Link>
  ));
}

/** A count at the right of a place; trouble only when there is any. */
export function NavCount({ item, count }: { readonly item: NavItem; readonly count: number | undefined }) {
  if (count === undefined || (count === 0 && item.quiet === true)) return null;
  const trouble = count > 0 ? item.trouble : undefined;
  return (
    <span className={`toned ${styles["count"]}`} data-tone={trouble?.tone}>
      {trouble !== undefined && <Glyph name={trouble.glyph} size={12} tone="inherit" />}
      {formatCount(count)}
    </span>
  );
}
