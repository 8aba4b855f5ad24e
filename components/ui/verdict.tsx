import { Fragment } from "react";
import { present } from "@/presentation/format/present";
import styles from "./verdict.module.css";

export interface ClauseProps {
  /** One short sentence or a part of one, with its punctuation. */
  readonly text: string;
  /** What is not fine is underlined. The text itself stays ink. */
  readonly tone?: "fine" | "doubt" | "broken" | "conflict" | undefined;
}

/** A clause that does not apply is absent. */
export type Clauses = readonly (ClauseProps | false | undefined)[];

export interface VerdictProps {
  readonly clauses: Clauses;
  /** `page` 27/36 (default), `overview` 34/42, `pane` 20/28. */
  readonly size?: "page" | "overview" | "pane" | undefined;
  /** `h1` on a page; a pane or a list uses `p`. */
  readonly as?: "h1" | "h2" | "p" | undefined;
}

/** A wrong clause of so many characters fits on a line of the overview, where it stays in one piece. */
const SHORT = 40;

/** The sentence a page opens with; what is wrong in it is underlined. */
export function Verdict({ clauses, size = "page", as: Element = "h1" }: VerdictProps) {
  return (
    <Element className={styles["verdict"]} data-size={size}>
      {present(clauses).map((clause, index) => (
        <Fragment key={clause.text}>
          {index > 0 && " "}
          {clause.tone === undefined || clause.tone === "fine" ? (
            clause.text
          ) : (
            <span
              className={styles["wrong"]}
              data-tone={clause.tone}
              data-short={clause.text.length <= SHORT || undefined}
            >
              {clause.text}
            </span>
          )}
        </Fragment>
      ))}
    </Element>
  );
}
