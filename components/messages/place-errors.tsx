import { Link } from "@/components/ui/link";
import { SectionTable } from "@/components/table/rows-table";
import { Time } from "@/components/ui/values/time";
import type { PlaceError } from "@/presentation/views/places";
import { isAtLeast } from "@/presentation/format/waiting-count";
import { Count } from "./place-table";
import styles from "./messages.module.css";
import type { MessageSide } from "@/domain/messages/side";

export interface PlaceErrorsProps {
  readonly side: MessageSide;
  readonly place: string;
  readonly errors: readonly PlaceError[];
  readonly now: string;
}

/** Why messages of one place fail or died, each cause with the messages that have it. */
export function PlaceErrors({ side, place, errors, now }: PlaceErrorsProps) {
  const more = isAtLeast({ waiting: errors.reduce((sum, { waiting }) => sum + waiting, 0) });
  return (
    <SectionTable
      title="What is wrong"
      note={errors.length === 0 ? undefined : "of what is open now"}
      label="Errors of what is open"
      empty={<p className={styles["counts"]}>No open message has an error.</p>}
      rows={errors}
      rowId={(row) => `${row.fingerprint ?? "open"} ${row.code}`}
      columns={{
        Error: {
          phone: "full",
          wrap: true,
          cell: (row) => (
            <span className={`${styles["place"] ?? ""} ${styles["error"] ?? ""}`} title={row.error}>
              <Link href={hrefOf(side, place, row)}>{row.code}</Link>
              <small>{row.error}</small>
            </span>
          ),
        },
        Waiting: {
          align: "right",
          phone: "left",
          cell: (row) => <Count value={row.waiting} more={more && row.waiting > 0} unit="waiting" tone="doubt" />,
        },
        Dead: { align: "right", phone: "right", cell: (row) => <Count value={row.dead} unit="dead" tone="broken" /> },
        Last: {
          align: "right",
          phone: "hidden",
          cell: ({ lastAt }) => (lastAt === undefined ? "" : <Time at={lastAt} now={now} form="ago" />),
        },
      }}
    />
  );
}

function hrefOf(side: MessageSide, place: string, { code, fingerprint }: PlaceError): string {
  if (fingerprint !== undefined) return `/dead-letters?${new URLSearchParams({ side, place, fingerprint }).toString()}`;
  const filter =
    side === "outbox" ? { topic: place, state: "failing" } : { consumer: place, failing: "true", range: "all" };
  return `/${side}?${new URLSearchParams({ ...filter, error: code }).toString()}`;
}
