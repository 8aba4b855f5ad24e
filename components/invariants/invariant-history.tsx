import type { InvariantMark } from "@/presentation/views/invariants";
import styles from "./invariants.module.css";

export interface InvariantHistoryProps {
  /** Oldest first. */
  readonly marks: readonly InvariantMark[];
  readonly label: string;
  readonly hours: number;
}

const STEP = 4;
const HEIGHT = 18;
/** Height of a mark: what was wrong stands out in grey and in print too. */
const TALL: Readonly<Record<InvariantMark, number>> = { none: 1, held: 6, unfinished: 12, violated: 18 };

/** The last day of one invariant: a low mark held, a high one was red; a line where nobody checked. */
export function InvariantHistory({ marks, label, hours }: InvariantHistoryProps) {
  const red = marks.filter((mark) => mark === "violated").length;
  const minutes = Math.round((hours * 60) / Math.max(1, marks.length));
  const text = marks.every((mark) => mark === "none")
    ? "nobody checked"
    : red === 0
      ? "never red"
      : `red in ${String(red)} of ${String(marks.length)} parts of ${String(minutes)} min`;
  return (
    <svg
      className={styles["strip"]}
      width={marks.length * STEP}
      height={HEIGHT}
      viewBox={`0 0 ${String(marks.length * STEP)} ${String(HEIGHT)}`}
      role="img"
      aria-label={`${label}, last ${String(hours)} hours: ${text}`}
    >
      {marks.map((mark, index) => (
        <rect
          key={index}
          data-mark={mark}
          x={index * STEP}
          y={HEIGHT - TALL[mark]}
          width={mark === "none" ? STEP : STEP - 1.5}
          height={TALL[mark]}
        />
      ))}
    </svg>
  );
}
