import type { ReactNode } from "react";
import { Verdict, type VerdictProps } from "./verdict";
import styles from "./page-head.module.css";

export interface PageHeadProps {
  /** Line above: where this is and how to walk. */
  readonly crumb?: ReactNode;
  readonly crumbRight?: ReactNode;
  readonly verdict?: VerdictProps["clauses"] | undefined;
  /** A `<PageTitle>` where there is no verdict, or what stands below it. */
  readonly children?: ReactNode;
  readonly lede?: ReactNode;
  /** As on the overview: a verdict of 34/42, a lede of 15/24 instead of 13/20. */
  readonly large?: boolean | undefined;
  /** Right of it: buttons, or the amount. */
  readonly aside?: ReactNode;
}

export function PageHead({ crumb, crumbRight, verdict, children, lede, large = false, aside }: PageHeadProps) {
  return (
    <header className={styles["wrap"]}>
      {(crumb !== undefined || crumbRight !== undefined) && (
        <div className={styles["crumb"]}>
          <span>{crumb}</span>
          <span className="off-phone">{crumbRight}</span>
        </div>
      )}
      <div className={styles["head"]}>
        <div>
          {verdict !== undefined && <Verdict size={large ? "overview" : "page"} clauses={verdict} />}
          {children}
          {lede !== undefined && (
            <p className={styles["lede"]} data-size={large ? "large" : "small"}>
              {lede}
            </p>
          )}
        </div>
        {aside !== undefined && <div className={styles["aside"]}>{aside}</div>}
      </div>
    </header>
  );
}

/** The title of a page that has no verdict, 20/28. */
export function PageTitle({ children, note }: { readonly children: ReactNode; readonly note?: ReactNode }) {
  return (
    <div className={styles["titleRow"]}>
      <h1 className={styles["title"]}>{children}</h1>
      {note !== undefined && <span className="note">{note}</span>}
    </div>
  );
}

export interface AmountBlockProps {
  readonly tag?: ReactNode;
  readonly amount: ReactNode;
  readonly note?: ReactNode;
}

/** The amount at the right of a detail page, 30/38. */
export function AmountBlock({ tag, amount, note }: AmountBlockProps) {
  return (
    <div className={styles["amountBlock"]}>
      <div>{tag}</div>
      <div className={styles["amount"]}>{amount}</div>
      <div className="note off-phone">{note}</div>
    </div>
  );
}
