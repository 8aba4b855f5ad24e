import styles from "./after-chain.module.css";

export interface AfterStep {
  readonly name: string;
  readonly fact: string;
  /** Already true before anybody decides. */
  readonly done: boolean;
}

export interface AfterChainProps {
  /** "After “It succeeded”, by itself". */
  readonly title: string;
  readonly steps: readonly AfterStep[];
}

/** What a decision makes happen by itself: the chain in small, solid where it already is. */
export function AfterChain({ title, steps }: AfterChainProps) {
  return (
    <div className={styles["after"]}>
      <p>{title}</p>
      <ol>
        {steps.map((step, index) => (
          <li key={step.name} data-done={step.done || undefined} data-way={way(steps, index)}>
            <b>{step.name}</b>
            <span>{step.fact}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function way(steps: readonly AfterStep[], index: number): "solid" | "due" | undefined {
  const next = steps[index + 1];
  if (next === undefined) return undefined;
  return next.done ? "solid" : "due";
}
