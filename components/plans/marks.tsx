import type { PlanResult } from "@/domain/plans/plan-results";
import styles from "./plans.module.css";

const MARK = 8;
const HALF = MARK / 2;
const RADIUS = 2.6;
const HEIGHT = 12;
const MIDDLE = HEIGHT / 2;
const MOST = 40;

export interface MarksProps {
  /** Rows of each result, in the order in which they are drawn. */
  readonly parts: readonly { readonly result: PlanResult; readonly count: number }[];
  /** The largest count that is drawn beside it. */
  readonly most: number;
}

/**
 * One mark is one row, and its shape says what became of it: a disc happened, a crossed square was refused, a dashed ring nobody knows, a dash was
 * left alone, a full square failed, a ring has not happened. Where there are too many rows every line keeps its share, and what is
 * there at all keeps one mark. Decoration of the words beside it.
 */
export function Marks({ parts, most }: MarksProps) {
  const marks = parts.flatMap(({ result, count }) =>
    Array<PlanResult>(most > MOST ? Math.max(count === 0 ? 0 : 1, Math.round((count / most) * MOST)) : count).fill(
      result,
    ),
  );
  return (
    <svg
      className={styles["marks"]}
      width={marks.length * MARK}
      height={HEIGHT}
      viewBox={`0 0 ${String(marks.length * MARK)} ${String(HEIGHT)}`}
      aria-hidden
    >
      {marks.map((result, index) => (
        <g key={index} data-result={result} transform={`translate(${String(index * MARK + HALF)} ${String(MIDDLE)})`}>
          {SHAPES[result]}
        </g>
      ))}
    </svg>
  );
}

const disc = <circle r={RADIUS} />;
const dash = <path d="M-2.5 0h5" />;
const SHAPES = {
  succeeded: disc,
  done: disc,
  declined: <path d="M-2.5 -2.5h5v5h-5zM-2.5 -2.5l5 5M2.5 -2.5l-5 5" />,
  unknown: <circle r={RADIUS} strokeDasharray="1.6 1.12" />,
  moved: dash,
  left: dash,
  failed: <path d="M-3 -3h6v6h-6z" />,
  waiting: <circle r={RADIUS} />,
} as const satisfies Record<PlanResult, unknown>;

/** @returns what one mark stands for, when it is not one row; undefined otherwise */
export function rowsPerMark(most: number): number | undefined {
  return most > MOST ? Math.ceil(most / MOST) : undefined;
}
