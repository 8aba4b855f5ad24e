import { SimpleTable } from "@/components/table/simple-table";
import { DialogLink } from "@/components/ui/place-link";
import { Time } from "@/components/ui/values/time";
import type { SessionRow } from "@/presentation/views/access";
import styles from "./access.module.css";

export interface SessionTableProps {
  readonly label: string;
  readonly at: string;
  readonly rows: readonly (SessionRow & { readonly person?: string })[];
  /** With a column for whose it is. */
  readonly people?: boolean | undefined;
}

export function SessionTable({ label, at, rows, people = false }: SessionTableProps) {
  return (
    <SimpleTable
      label={label}
      columns={[
        ...(people ? [{ id: "person", header: "Person", phone: "left" as const }] : []),
        { id: "device", header: "Device", phone: people ? ("full" as const) : ("left" as const) },
        { id: "address", header: "Address", phone: "full" },
        { id: "since", header: "Signed in", align: "right", phone: "hidden" },
        { id: "seen", header: "Last seen", align: "right", phone: "right" },
        { id: "until", header: "Ends", align: "right", phone: "hidden" },
        { id: "act", header: "Actions", align: "right", phone: "full" },
      ]}
      rows={rows.map((row) => ({
        id: row.id,
        cells: {
          person: row.person,
          device: (
            <>
              {row.device}
              {row.own && <span className={styles["own"]}>this one</span>}
            </>
          ),
          address: row.address ?? <span className="small quiet">not known</span>,
          since: <Time at={row.since} now={at} form="day" />,
          seen: <Time at={row.seenAt} now={at} form="ago" />,
          until: <Time at={row.until} now={at} form="clock" />,
          act: row.own ? (
            <span className="small quiet">ends by signing out</span>
          ) : (
            <DialogLink small dialog={`end:${row.id}`}>
              End
            </DialogLink>
          ),
        },
      }))}
    />
  );
}
