"use client";

import { useState } from "react";
import { DrawnTable, type DrawnTableProps } from "./drawn-table";
import styles from "./folded-table.module.css";

/** Rows of either end that stay while the middle is folded. */
const ENDS = 3;

/** A history that may be long: its beginning and its end, the middle when asked for. */
export function FoldedTable(props: DrawnTableProps) {
  const [open, setOpen] = useState(false);
  const { rows, columns } = props;
  const hidden = rows.length - 2 * ENDS;
  const place = columns.find((column) => column.phone === "left") ?? columns[0];
  if (open || hidden < 2 || place === undefined) return <DrawnTable {...props} />;
  const more = (
    <button
      type="button"
      className={styles["more"]}
      aria-expanded={false}
      onClick={() => {
        setOpen(true);
      }}
    >
      and {hidden} more
    </button>
  );
  const folded = [...rows.slice(0, ENDS), { id: "more", cells: { [place.header]: more } }, ...rows.slice(-ENDS)];
  return <DrawnTable {...props} rows={folded} />;
}
