import { Glyph } from "@/components/ui/values/glyph";
import { formatCount } from "@/presentation/format/display-time";
import type { NavItem } from "./navigation";
import styles from "./nav-count.module.css";

export interface NavCountProps {
  readonly item: NavItem;
  readonly count: number | undefined;
}

/** A count at the right of a place; trouble only when there is any. */
export function NavCount({ item, count }: NavCountProps) {
  if (count === undefined || (count === 0 && item.quiet === true)) return null;
  const trouble = count > 0 ? item.trouble : undefined;
  return (
    <span className={styles["count"]} data-tone={trouble?.tone}>
      {trouble !== undefined && <Glyph name={trouble.glyph} size={12} tone="inherit" />}
      {formatCount(count)}
    </span>
  );
}
