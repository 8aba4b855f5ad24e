import Link from "next/link";
import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import type { PlaceError } from "@/presentation/views/places";
import styles from "./messages.module.css";
import type { MessageSide } from "@/domain/messages/side";

export interface PlaceErrorsProps {
  readonly side: MessageSide;
  readonly place: string;
  readonly errors: readonly PlaceError[];
  readonly now: string;
}

/** Why messages of one place fail or gave up, each cause with the messages that have it. */
export function PlaceErrors({ side, place, errors, now }: PlaceErrorsProps) {
  return (
    <Section title="What is wrong" note={errors.length === 0 ? undefined : "of what is open now"}>
      {errors.length === 0 ? (
        <p className={styles["counts"]}>No open message has an error.</p>
      ) : (
        <SimpleTable
          label="Errors of what is open"
          columns={[
            { id: "error", header: "Error", phone: "full", wrap: true },
            { id: "waiting", header: "Waiting", align: "right", phone: "left" },
            { id: "dead", header: "Dead", align: "right", phone: "right" },
            { id: "last", header: "Last", align: "right", phone: "hidden" },
          ]}
          rows={errors.map((row) => ({
            id: `${row.fingerprint ?? "open"} ${row.code}`,
            cells: {
              error: (
                <span className={styles["place"]}>
                  <Link href={hrefOf(side, place, row)}>{row.code}</Link>
                  <small>{row.error}</small>
                </span>
              ),
              waiting: <Count value={row.waiting} unit="waiting" tone="doubt" />,
              dead: <Count value={row.dead} unit="dead" tone="broken" />,
              last: row.lastAt === undefined ? "" : <Time at={row.lastAt} now={now} form="ago" />,
            },
          }))}
        />
      )}
    </Section>
  );
}

/** Dead letters of this cause, or the messages that wait with this error. */
function hrefOf(side: MessageSide, place: string, { code, fingerprint }: PlaceError): string {
  if (fingerprint !== undefined) return `/dead-letters?${new URLSearchParams({ side, place, fingerprint }).toString()}`;
  const filter =
    side === "outbox" ? { topic: place, state: "failing" } : { consumer: place, failing: "true", range: "all" };
  return `/${side}?${new URLSearchParams({ ...filter, error: code }).toString()}`;
}

function Count({
  value,
  tone,
  unit,
}: {
  readonly value: number;
  readonly tone: "doubt" | "broken";
  readonly unit: string;
}) {
  return (
    <span className={value === 0 ? "quiet" : `bold ${tone}`}>
      {formatCount(value)}
      <span className="phone-only"> {unit}</span>
    </span>
  );
}
