import Link from "next/link";
import type { TableColumn } from "./types";
import styles from "./data-table.module.css";

/** A column head; a sortable one is a link, the sorted one is ink with its arrow. */
export function HeaderCell({ column }: { readonly column: TableColumn }) {
  if (column.hiddenHeader === true) return <span className={styles["spoken"]}>{column.header}</span>;
  if (column.sort === undefined) return column.header;
  const arrow = column.sort.direction === undefined ? "" : column.sort.direction === "asc" ? " ↑" : " ↓";
  return (
    <Link href={column.sort.href} className={styles["sort"]} data-plain scroll={false} prefetch={false}>
      {column.header}
      <span aria-hidden>{arrow}</span>
    </Link>
  );
}
