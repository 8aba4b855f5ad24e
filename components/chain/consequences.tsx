import styles from "./consequences.module.css";

export interface Consequence {
  readonly name: string;
  readonly fact: string;
  /** Already true before anybody decides. */
  readonly done: boolean;
}

export interface ConsequencesProps {
  /** "After “It succeeded”, automatically". */
  readonly title: string;
  readonly steps: readonly Consequence[];
}

/** What a decision makes happen by itself: the chain in small, solid where it already is. */
export function Consequences({ title, steps }: ConsequencesProps) {
  return (
    <div className={styles["after"]}>
      <p className="note">{title}</p>
      <ol>
        {steps.map((step, index) => (
          <li key={step.name} data-done={step.done || undefined} data-way={way(steps, index)}>
            <b>{step.name}</b>
            <span className="quiet">{step.fact}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function way(steps: readonly Consequence[], index: number): "solid" | "due" | undefined {
  const next = steps[index + 1];
  if (next === undefined) return undefined;
  return next.done ? "solid" : "due";
}
