import { Link } from "./link";
import { present } from "@/presentation/format/present";
import styles from "./tabs.module.css";

export interface TabLink {
  readonly href: string;
  readonly label: string;
  /** Already said as it is shown: "12", "~1.23 M". */
  readonly count?: string | undefined;
  /** How and when it was counted, where that is not now. */
  readonly counted?: string | undefined;
  readonly current?: boolean | undefined;
}

/** Views of one list as links, each with its count. */
export function Tabs({
  tabs,
  label,
}: {
  readonly tabs: readonly (TabLink | false | undefined)[];
  readonly label: string;
}) {
  return (
    <nav className={styles["tabs"]} aria-label={label}>
      {present(tabs).map((tab) => (
        <Link key={tab.href} href={tab.href} data-plain aria-current={tab.current === true ? "page" : undefined}>
          {tab.label}
          {tab.count !== undefined && (
            <span className={styles["count"]} title={tab.counted}>
              {tab.count}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
