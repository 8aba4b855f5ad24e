const MARK = 8;
const RADIUS = 2.9;
const HEIGHT = 12;
const MOST = 40;

export interface MarksProps {
  readonly count: number;
  /** The largest count that is drawn beside it. */
  readonly most: number;
  /** A disc acts, a dash is left alone. */
  readonly acts: boolean;
}

/** One mark is one row; where there are too many, every line of marks keeps its share. Decoration of the number beside it. */
export function Marks({ count, most, acts }: MarksProps) {
  const shown = most > MOST ? Math.max(1, Math.round((count / most) * MOST)) : count;
  return (
    <svg width={shown * MARK} height={HEIGHT} viewBox={`0 0 ${String(shown * MARK)} ${String(HEIGHT)}`} aria-hidden>
      {Array.from({ length: shown }, (_, index) =>
        acts ? (
          <circle key={index} cx={index * MARK + MARK / 2} cy={HEIGHT / 2} r={RADIUS} fill="var(--ob-proven)" />
        ) : (
          <path
            key={index}
            d={`M${String(index * MARK + 1)} ${String(HEIGHT / 2)}h5`}
            stroke="var(--ob-doubt-mark)"
            strokeWidth={1.8}
          />
        ),
      )}
    </svg>
  );
}

/** @returns what one mark stands for, when it is not one row; undefined otherwise */
export function rowsPerMark(most: number): number | undefined {
  return most > MOST ? Math.ceil(most / MOST) : undefined;
}
