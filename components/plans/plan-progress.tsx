import { formatCount } from "@/domain/display-time";
import type { PlanItemState } from "@/domain/plan";
import styles from "./plans.module.css";

export interface PlanProgressProps {
  /** Rows that the dry run lets act. */
  readonly acting: number;
  readonly counts: Readonly<Record<PlanItemState, number>>;
  /** In a table cell: the bar alone. */
  readonly small?: boolean | undefined;
}

/** How far a plan came: done, moved meanwhile, failed, and what waits as the empty rest. */
export function PlanProgress({ acting, counts, small = false }: PlanProgressProps) {
  const ended = Math.max(0, acting - counts.waiting);
  const skipped = Math.max(0, ended - counts.done - counts.failed);
  const parts = [
    { name: "done", count: counts.done },
    { name: "skipped", count: skipped },
    { name: "failed", count: counts.failed },
  ] as const;
  const said = `${formatCount(ended)} of ${formatCount(acting)}`;
  return (
    <div className={styles["progress"]} data-small={small || undefined}>
      <div
        className={styles["bar"]}
        role="progressbar"
        aria-label="Rows that have ended"
        aria-valuemin={0}
        aria-valuemax={acting}
        aria-valuenow={ended}
        aria-valuetext={said}
      >
        {parts.map(({ name, count }) => (
          <i key={name} data-part={name} style={{ width: `${String(acting === 0 ? 0 : (count / acting) * 100)}%` }} />
        ))}
      </div>
      {!small && (
        <p>
          <b>{said}</b>
          {parts.map(({ name, count }) =>
            count === 0 ? null : (
              <span key={name}>
                {formatCount(count)} {name}
              </span>
            ),
          )}
          {counts.waiting > 0 && <span>{formatCount(counts.waiting)} to go</span>}
        </p>
      )}
    </div>
  );
}
