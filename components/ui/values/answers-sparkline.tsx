import type { ReactNode } from "react";
import type { AnswersView } from "@/presentation/operation/chain";
import { glyphWord } from "@/presentation/format/glyph";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import styles from "./sparklines.module.css";

const PITCH = 11;
const MAX_MARKS = 6;

/** Each drawn around the middle of its place. */
const MARKS: Readonly<Record<AnswerOutcome, ReactNode>> = {
  executed: <circle r={3.4} fill="var(--ob-ink)" stroke="none" />,
  replayed: <circle r={2.9} stroke="var(--ob-ink2)" />,
  in_progress: (
    <>
      <circle r={2.9} stroke="var(--ob-accent)" />
      <path d="M0 -2.9a2.9 2.9 0 0 1 0 5.8z" fill="var(--ob-accent)" stroke="none" />
    </>
  ),
  conflict: (
    <path
      d="M-3.6 -1.6h7.2M-3.6 1.6h7.2M1.9 -4 -1.9 4"
      stroke="var(--ob-conflict)"
      strokeWidth={1.4}
      strokeLinecap="round"
    />
  ),
  unknown: <circle r={3.4} stroke="var(--ob-doubt-mark)" strokeWidth={1.4} strokeDasharray="2.1 1.46" />,
  expired_retry: (
    <g stroke="var(--ob-ink3)" strokeWidth={1.1}>
      <rect x={-3} y={-3} width={6} height={6} rx={1} />
      <path d="M0 -1.4v1.6l1.2.7" />
    </g>
  ),
  failed: <rect x={-3} y={-3} width={6} height={6} rx={1} stroke="var(--ob-ink2)" />,
};

/** One 11 px mark per request in order of arrival, `● ○ ○ ≠`; after six "+n". */
export function AnswersSparkline({
  answers,
  total,
  max = MAX_MARKS,
}: AnswersView & { readonly max?: number | undefined }) {
  const shown = answers.slice(0, max);
  const rest = total - shown.length;
  if (shown.length === 0) return <span className="note">none</span>;
  const width = shown.length * PITCH + 2.5;
  return (
    <span className={styles["answers"]}>
      <svg
        className={styles["mini"]}
        width={width}
        height="16"
        viewBox={`0 0 ${String(width)} 16`}
        role="img"
        aria-label={spokenAnswers(shown, rest)}
      >
        {shown.map((answer, index) => (
          // Arrival order is the identity of a mark: the list only ever grows at its end.
          <g
            key={`${String(index)}-${answer}`}
            transform={`translate(${String(5.5 + index * PITCH)} 8)`}
            fill="none"
            strokeWidth={1.2}
          >
            {MARKS[answer]}
          </g>
        ))}
      </svg>
      {rest > 0 && <span className="note">+{rest}</span>}
    </span>
  );
}

function spokenAnswers(answers: readonly AnswerOutcome[], rest: number): string {
  const counts = new Map<AnswerOutcome, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const words = [...counts].map(([answer, count]) => `${String(count)} ${glyphWord(answer).toLowerCase()}`);
  return `Answers: ${words.join(", ")}${rest > 0 ? `, and ${String(rest)} more` : ""}`;
}
