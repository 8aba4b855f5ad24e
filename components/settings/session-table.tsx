import { column, SimpleTable } from "@/components/table/simple-table";
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
    <SimpleTable<PersonSession>
      label={label}
      rows={rows}
      columns={[
        ...(people ? [column<PersonSession>({ header: "Person" }, ({ person }) => person)] : []),
        column({ header: "Device", phone: people ? "full" : "left" }, ({ device, own }) => (
          <>
            {device}
            {own && <span className={styles["own"]}>this one</span>}
          </>
        )),
        column(
          { header: "Address", phone: "full" },
          ({ address }) => address ?? <span className="small quiet">not known</span>,
        ),
        column({ header: "Signed in", align: "right", phone: "hidden" }, ({ since }) => (
          <Time at={since} now={at} form="day" />
        )),
        column({ header: "Last seen", align: "right" }, ({ seenAt }) => <Time at={seenAt} now={at} form="ago" />),
        column({ header: "Ends", align: "right", phone: "hidden" }, ({ until }) => (
          <Time at={until} now={at} form="clock" />
        )),
        column({ header: "Actions", align: "right", phone: "full" }, ({ own, id }) =>
          own ? (
            <span className="small quiet">ends by signing out</span>
          ) : (
            <DialogLink small dialog={`end:${id}`}>
              End
            </DialogLink>
          ),
        ),
      ]}
    />
  );
}
