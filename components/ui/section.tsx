import { useId, type ReactNode } from "react";
import styles from "./section.module.css";

export interface SectionProps {
  readonly title: ReactNode;
  /** Beside the title, ink 3. */
  readonly note?: ReactNode;
  /** Right end of the head: age, link. */
  readonly right?: ReactNode;
  /** A grey rule instead of the ink one: a section inside another. */
  readonly quiet?: boolean | undefined;
  /** `none` for the first section of a column. */
  readonly space?: "normal" | "small" | "none" | undefined;
  readonly id?: string | undefined;
  readonly children: ReactNode;
}

/** A 1 px ink rule opens a section. */
export function Section({ title, note, right, quiet = false, space = "normal", id, children }: SectionProps) {
  const headId = useId();
  return (
    <section className={styles["section"]} data-space={space} aria-labelledby={headId} id={id}>
      <div className={styles["head"]} data-quiet={quiet || undefined}>
        <h2 id={headId}>{title}</h2>
        {note !== undefined && <span className="small quiet">{note}</span>}
        {right !== undefined && <span className={styles["right"]}>{right}</span>}
      </div>
      {children}
    </section>
  );
}

/** Main column and a side column of 344 px; they stack below 1200 px. */
export function TwoColumns({ children, side }: { readonly children: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={styles["two"]}>
      <div>{children}</div>
      <div className={styles["side"]}>{side}</div>
    </div>
  );
}
