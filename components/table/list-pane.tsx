import type { ReactNode } from "react";
import { Notice } from "@/components/feedback/notice";
import { Button } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { OpenRows } from "./open-rows";
import type { ListFacts } from "@/components/views/list-tools";
import type { FilterProblem } from "@/presentation/filters/search";
import type { PageAddress } from "@/presentation/list/page-address";
import type { Opened, OpenedRow } from "./use-opened";
import styles from "./list-pane.module.css";

/** What the page of a list is given: what was read, for which address, and the row that was open then. */
export interface ListPageProps<View, Filters, Row> {
  readonly view: View;
  readonly filters: Filters;
  /** Parts of the address that were not understood. */
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly facts: ListFacts;
  readonly opened: Opened<Row> | undefined;
}

export interface ListPaneProps {
  /** Accessible name of the pane: "Current message". */
  readonly label: string;
  /** What is known of the open row; without it the list has the whole width. */
  readonly pane: ReactNode | undefined;
  readonly busy?: boolean | undefined;
  readonly children: ReactNode;
}

/** A list with its open row beside it: 344 px where there is room, below that a row opens its own page. */
export function ListPane({ label, pane, busy, children }: ListPaneProps) {
  const open = pane !== undefined;
  return (
    <OpenRows>
      <div className={styles["columns"]} data-pane={open || undefined}>
        <div className={styles["list"]}>{children}</div>
        {open && (
          <aside className={styles["pane"]} aria-label={label} aria-busy={busy}>
            <div className={styles["stick"]}>{pane}</div>
          </aside>
        )}
      </div>
    </OpenRows>
  );
}

/**
 * @param what "This message": what did not load, where it did not
 * @returns what a pane shows of an open row; undefined while nothing is open, or nothing is known yet
 */
export function openedPane<Value>(
  { shown, problem, retry }: OpenedRow<Value>,
  what: string,
  show: (value: Value) => ReactNode,
  gone: ReactNode,
): ReactNode | undefined {
  if (problem !== undefined) {
    return (
      <Notice
        tone="broken"
        title={`${what} did not load.`}
        text={
          <>
            {problem.message}
            {problem.requestId !== undefined && (
              <>
                {" "}
                Request <Id value={problem.requestId} mark />
              </>
            )}
          </>
        }
        actions={
          <Button small onClick={retry}>
            Try again
          </Button>
        }
      />
    );
  }
  if (shown === undefined) return undefined;
  return shown.value === "gone" ? gone : show(shown.value);
}
