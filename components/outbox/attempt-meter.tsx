import styles from "./messages.module.css";

export interface AttemptMeterProps {
  readonly attempts: number;
  readonly max: number;
  readonly dead: boolean;
}

const PITCH = 5;
/** More than this would be wider than the column; the number says the rest. */
const MOST_MARKS = 12;

/** One mark per allowed attempt, filled for each that was made, and the number. */
export function AttemptMeter({ attempts, max, dead }: AttemptMeterProps) {
  const marks = Math.min(max, MOST_MARKS);
  const filled = Math.min(marks, Math.ceil((attempts / Math.max(1, max)) * marks));
  return (
    <span className={styles["meter"]} title={`${String(attempts)} of ${String(max)} attempts`}>
      <svg width={marks * PITCH} height="12" viewBox={`0 0 ${String(marks * PITCH)} 12`} aria-hidden>
        {Array.from({ length: marks }, (_, index) => (
          <rect
            key={index}
            x={index * PITCH}
            y={index < filled ? 2 : 9}
            width={index < filled ? 2 : 3}
            height={index < filled ? 8 : 1}
            fill={index < filled ? (dead ? "var(--ob-broken)" : "var(--ob-ink2)") : "var(--ob-line-strong)"}
          />
        ))}
      </svg>
      <span>{attempts}</span>
    </span>
  );
}
