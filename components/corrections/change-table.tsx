import { RowsTable } from "@/components/table/rows-table";
import { CORRECTION_MAX_CHANGES, type BodyChange, type ChangeKind } from "@/domain/messages/correction";
import styles from "./corrections.module.css";

const KINDS: Readonly<Record<ChangeKind, string>> = { changed: "Changed", added: "Added", removed: "Removed" };

interface ChangeTableProps {
  readonly changes: readonly BodyChange[];
  /** False: this person sees where the bodies differ, not how. */
  readonly values: boolean;
}

/** Where two bodies differ, field by field. */
export function ChangeTable({ changes, values }: ChangeTableProps) {
  return (
    <RowsTable
      label={values ? "Difference, field by field" : "Changed fields, without values"}
      rows={changes.slice(0, CORRECTION_MAX_CHANGES)}
      rowId={({ path }) => path}
      columns={{
        Field: { wrap: true, cell: ({ path }) => <code className={styles["path"]}>{path}</code> },
        Change: { phone: "right", cell: ({ kind }) => KINDS[kind] },
        Before: values && { phone: "full", wrap: true, cell: ({ before }) => <Value side="Before" text={before} /> },
        After: values && { phone: "full", wrap: true, cell: ({ after }) => <Value side="After" text={after} strong /> },
      }}
    />
  );
}

interface ValueProps {
  readonly side: "Before" | "After";
  readonly text: string | undefined;
  readonly strong?: boolean;
}

function Value({ side, text, strong = false }: ValueProps) {
  return (
    <>
      <small className={styles["side"]}>{side}</small>
      {text === undefined ? (
        <i className="quiet">absent</i>
      ) : (
        <code className={styles["value"]} data-strong={strong || undefined}>
          {text}
        </code>
      )}
    </>
  );
}
