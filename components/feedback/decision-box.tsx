import type { ReactNode } from "react";
import styles from "./decision-box.module.css";

export interface DecisionBoxProps {
  /** Amber to settle a doubt, accent to approve. */
  readonly tone: "doubt" | "accent";
  readonly label: string;
  readonly children: ReactNode;
  readonly right?: ReactNode;
}

/** The only box: the place where a person decides. */
export function DecisionBox({ tone, label, children, right }: DecisionBoxProps) {
  return (
    <section
      className={styles["box"]}
      data-tone={tone}
      data-single={right === undefined || undefined}
      aria-label={label}
    >
      <div>{children}</div>
      {right !== undefined && <div>{right}</div>}
    </section>
  );
}

/** Head of a half of the box. */
export function DecisionHead({ children }: { readonly children: ReactNode }) {
  return <h2 className={styles["head"]}>{children}</h2>;
}

/** Where the evidence leans to, in one sentence. */
export function Lean({ children }: { readonly children: ReactNode }) {
  return <p className={styles["lean"]}>{children}</p>;
}

export interface DecisionEndProps {
  readonly id: string;
  readonly off: boolean;
  readonly children: ReactNode;
  readonly note: string;
  readonly answer?: ReactNode;
}

const MAX_REASON = 500;

/** How a decision ends: why, what sends it, what that does, and the answer. */
export function DecisionEnd({ id, off, children, note, answer }: DecisionEndProps) {
  return (
    <>
      <label className="label" htmlFor={id}>
        Reason, kept in the audit
      </label>
      <textarea id={id} name="reason" className="box field" required maxLength={MAX_REASON} disabled={off} />
      <div className={styles["submit"]}>{children}</div>
      <p className={styles["note"]}>{note}</p>
      {answer !== undefined && <div className={styles["answer"]}>{answer}</div>}
    </>
  );
}
