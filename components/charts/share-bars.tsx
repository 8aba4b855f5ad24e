import { formatCount } from "@/presentation/format/display-time";
import styles from "./sparklines.module.css";

export interface ShareItem {
  readonly label: string;
  readonly count: number;
  readonly tone?: "conflict" | "ink" | "doubt" | "broken" | undefined;
}

const LONGEST = 74;

export function ShareBars({ items }: { readonly items: readonly ShareItem[] }) {
  const top = Math.max(1, ...items.map((item) => item.count));
  return (
    <ul>
      {items.map((item) => (
        <li key={item.label} className={styles["share"]} data-none={item.count === 0 || undefined}>
          <span>{item.label}</span>
          <i data-tone={item.tone} style={{ width: `${String((item.count / top) * LONGEST)}%` }} />
          <span>{formatCount(item.count)}</span>
        </li>
      ))}
    </ul>
  );
}
