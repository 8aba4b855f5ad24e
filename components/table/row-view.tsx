"use client";

import { below } from "@/components/ui/base-path";
import { Link } from "@/components/ui/link";
import { useRouter } from "@/components/navigation/router";
import { goToPlace, usePlace } from "@/components/ui/place";
import type { MouseEvent, ReactNode } from "react";
import { SELECT_COLUMN, type TableColumn, type TableRow } from "./columns";
import styles from "./data-table.module.css";

export interface CellView {
  readonly column: TableColumn;
  readonly linked: boolean;
  readonly content: ReactNode;
}

export interface RowViewProps {
  readonly row: TableRow;
  readonly selected: boolean;
  readonly span: number;
  readonly children: readonly CellView[];
}

/** One row: a real link in one cell, and the rest of the row leads to the same place. */
export function RowView({ row, selected, span, children }: RowViewProps) {
  const router = useRouter();
  const { hrefOf, isAt } = usePlace();
  const { place } = row;
  const href = place === undefined ? row.href : hrefOf({ ...place, dialog: undefined });
  const current = row.current === true || (place !== undefined && isAt(place));
  const open = (event: MouseEvent<HTMLTableRowElement>): void => {
    if (href === undefined || event.defaultPrevented || belongsToControl(event.target)) return;
    if (event.metaKey || event.ctrlKey) window.open(below(href), "_blank", "noopener");
    else if (place === undefined) router.push(href);
    else goToPlace(href);
  };
  return (
    <>
      {row.group !== undefined && (
        <tr className={styles["group"]}>
          <td colSpan={span}>{row.group}</td>
        </tr>
      )}
      <tr
        data-row={row.id}
        data-page={row.page}
        data-link={href === undefined ? undefined : true}
        data-selected={selected || undefined}
        data-continues={row.continues}
        data-current={current || undefined}
        onClick={open}
      >
        {children.map(({ column, linked, content }) => (
          <td
            key={column.id}
            data-align={column.align}
            data-phone={column.phone ?? "hidden"}
            data-select={column.id === SELECT_COLUMN || undefined}
            data-wide={column.wide}
            data-roomy={column.roomy}
            data-grow={column.grow}
            data-wrap={column.wrap}
          >
            {linked && href !== undefined ? (
              <Link
                href={href}
                className={styles["rowLink"]}
                data-plain
                data-row-link
                aria-label={row.label}
                onNavigate={(event) => {
                  if (place === undefined) return;
                  event.preventDefault();
                  goToPlace(href);
                }}
              >
                {content}
              </Link>
            ) : (
              content
            )}
          </td>
        ))}
      </tr>
    </>
  );
}

/** Links, buttons and fields keep their own click; so does somebody who marks text. */
function belongsToControl(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false;
  if ((window.getSelection()?.toString() ?? "") !== "") return true;
  return target.closest("a, button, input, label, select, textarea, summary") !== null;
}
