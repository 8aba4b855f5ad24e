import { Glyph } from "@/components/ui/values/glyph";
import { formatCount } from "@/presentation/format/display-time";
import { unitsOf, type PlanKindName } from "@/domain/plans/plan";
import { resultFace, resultParts, type ResultCounts } from "@/presentation/plan/plan-results";
import { PLAN_RESULTS, type PlanResult } from "@/domain/plans/plan-results";
import { capital } from "@/presentation/format/words";
import styles from "./plans.module.css";

export interface PlanProgressProps {
  readonly kind: PlanKindName;
  readonly results: ResultCounts;
  /** The plan has. */
  readonly ended: boolean;
  /** In a table cell: the bar alone. */
  readonly small?: boolean | undefined;
}

/** What the dry run let act, in the order of the bar; what waits is its empty rest. */
const IN_BAR: readonly PlanResult[] = PLAN_RESULTS.filter((result) => result !== "left");

/** How far a plan came, and what became of its rows: every result has its pattern in the bar and its glyph and word below. */
export function PlanProgress({ kind, results, ended, small = false }: PlanProgressProps) {
  const parts = resultParts(results, kind, ended, IN_BAR);
  const acting = parts.reduce((sum, { count }) => sum + count, 0);
  const past = acting - results.waiting;
  const endedOf = `${formatCount(past)} of ${formatCount(acting)}`;
  const text = parts.map(({ count, word }) => `${formatCount(count)} ${word}`).join(", ");
  return (
    <div className={styles["progress"]} data-small={small || undefined}>
      <div
        className={styles["bar"]}
        role="progressbar"
        aria-label={`${capital(unitsOf(kind))} that have ended`}
        aria-valuemin={0}
        aria-valuemax={acting}
        aria-valuenow={past}
        aria-valuetext={text === "" ? endedOf : `${endedOf}: ${text}`}
      >
        {parts.map(({ result, count }) => (
          <i key={result} data-part={result} style={{ width: `${String((count / acting) * 100)}%` }} />
        ))}
      </div>
      {!small && (
        <p>
          <b>{endedOf} ended</b>
          {parts.map(({ result, count, word }) => {
            const { glyph, tone } = resultFace(result, kind, ended);
            return (
              <span key={result}>
                <Glyph name={glyph} tone={tone} size={12} /> {formatCount(count)} {word}
              </span>
            );
          })}
        </p>
      )}
    </div>
  );
}
