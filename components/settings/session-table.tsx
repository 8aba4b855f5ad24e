import { RowsTable } from "@/components/table/rows-table";
import { DialogLink } from "@/components/ui/place-link";
import { Time } from "@/components/ui/values/time";
import type { SessionRow } from "@/presentation/views/access";
import styles from "./access.module.css";

type PersonSession = SessionRow & { readonly person?: string };

export interface SessionTableProps {
  readonly label: string;
  readonly at: string;
  readonly rows: readonly PersonSession[];
  /** With a column for whose it is. */
  readonly people?: boolean | undefined;
}

export function SessionTable({ label, at, rows, people = false }: SessionTableProps) {
  return (
    <RowsTable
      label={label}
      rows={rows}
      columns={{
        Person: people && { cell: ({ person }) => person },
        Device: {
          phone: "left",
          cell: ({ device, own }) => (
            <>
              {device}
              {own && <span className={styles["own"]}>this one</span>}
            </>
          ),
        },
        Address: {
          phone: "left",
          cell: ({ address }) =>
            address ?? (
              <span className="small quiet">
                <span className="phone-only">address </span>not known
              </span>
            ),
        },
        "Signed in": { align: "right", phone: "hidden", cell: ({ since }) => <Time at={since} now={at} form="day" /> },
        "Last seen": { align: "right", cell: ({ seenAt }) => <Time at={seenAt} now={at} form="ago" /> },
        Ends: { align: "right", phone: "hidden", cell: ({ until }) => <Time at={until} now={at} form="day" /> },
        Actions: {
          align: "right",
          cell: ({ own, id }) =>
            own ? (
              <span className="small quiet">ends by signing out</span>
            ) : (
              <DialogLink small dialog={`end:${id}`}>
                End
              </DialogLink>
            ),
        },
      }}
    />
  );
}
