import { ButtonLink, Button } from "@/components/ui/button";
import type { ReactNode } from "react";
import styles from "./data-table.module.css";

export interface PagerProps {
  /** "Newest first, 50 a page". */
  readonly note: ReactNode;
  readonly newerHref?: string | undefined;
  readonly olderHref?: string | undefined;
}

/** Newer and Older as links: a page of a list has an address. */
export function Pager({ note, newerHref, olderHref }: PagerProps) {
  return (
    <nav className={styles["pager"]} aria-label="Pages of this list">
      <span>{note}</span>
      <span className={styles["space"]} />
      {newerHref === undefined ? (
        <Button small disabled>
          Newer
        </Button>
      ) : (
        <ButtonLink small href={newerHref}>
          Newer
        </ButtonLink>
      )}
      {olderHref === undefined ? (
        <Button small disabled>
          Older
        </Button>
      ) : (
        <ButtonLink small href={olderHref}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
