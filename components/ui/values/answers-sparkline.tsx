import type { AnswersView } from "@/presentation/operation/chain";
import { glyphWord } from "@/presentation/format/glyph";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import styles from "./sparklines.module.css";

const PITCH = 11;
const MAX_MARKS = 6;
const MIDDLE = 8;

/** One 11 px mark per request in order of arrival, `● ○ ○ ≠`; after six "+n". */
export function AnswersSparkline({
  answers,
  total,
  max = MAX_MARKS,
}: AnswersView & { readonly max?: number | undefined }) {
  const shown = answers.slice(0, max);
  const rest = total - shown.length;
  if (shown.length === 0) return <span className={styles["more"]}>none</span>;
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
          <Mark key={`${String(index)}-${answer}`} answer={answer} x={5.5 + index * PITCH} />
        ))}
      </svg>
      {rest > 0 && <span className={styles["more"]}>+{rest}</span>}
    </span>
  );
}

function spokenAnswers(answers: readonly AnswerOutcome[], rest: number): string {
  const counts = new Map<AnswerOutcome, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const said = [...counts].map(([answer, count]) => `${String(count)} ${glyphWord(answer).toLowerCase()}`);
  return `Answers: ${said.join(", ")}${rest > 0 ? `, and ${String(rest)} more` : ""}`;
}

function Mark({ answer, x }: { readonly answer: AnswerOutcome; readonly x: number }) {
  switch (answer) {
    case "executed":
      return <circle cx={x} cy={MIDDLE} r={3.4} fill="var(--ob-ink)" />;
    case "replayed":
      return <circle cx={x} cy={MIDDLE} r={2.9} fill="none" stroke="var(--ob-ink2)" strokeWidth={1.2} />;
    case "in_progress":
      return (
        <g>
          <circle cx={x} cy={MIDDLE} r={2.9} fill="none" stroke="var(--ob-accent)" strokeWidth={1.2} />
          <path d={`M${String(x)} 5.1a2.9 2.9 0 0 1 0 5.8z`} fill="var(--ob-accent)" />
        </g>
      );
    case "conflict":
      return (
        <path
          d={`M${String(x - 3.6)} 6.4h7.2M${String(x - 3.6)} 9.6h7.2M${String(x + 1.9)} 4 ${String(x - 1.9)} 12`}
          stroke="var(--ob-conflict)"
          strokeWidth={1.4}
          fill="none"
          strokeLinecap="round"
        />
      );
    case "unknown":
      return (
        <circle
          cx={x}
          cy={MIDDLE}
          r={3.4}
          fill="none"
          stroke="var(--ob-doubt-mark)"
          strokeWidth={1.4}
          strokeDasharray="2.1 1.46"
        />
      );
    case "expired_retry":
      return (
        <g fill="none" stroke="var(--ob-ink3)" strokeWidth={1.1}>
          <rect x={x - 3} y={5} width={6} height={6} rx={1} />
          <path d={`M${String(x)} 6.6v1.6l1.2.7`} />
        </g>
      );
    case "failed":
      return <rect x={x - 3} y={5} width={6} height={6} rx={1} fill="none" stroke="var(--ob-ink2)" strokeWidth={1.2} />;
  }
}
