import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { Trend } from "@/components/charts/trend";
import { SectionTable, type RowColumn } from "@/components/table/rows-table";
import { Time } from "@/components/ui/values/time";
import { fitLabel } from "@/presentation/format/cut-middle";
import { formatAge, formatCount, formatDuration } from "@/presentation/format/display-time";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { isAtLeast, isUncounted, type WaitingCount, waitingCount } from "@/presentation/format/waiting-count";
import { outageText } from "@/domain/messages/outage";
import { SIDE_WORDS } from "@/presentation/message/sides";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";
import styles from "./messages.module.css";
import type { MessageSide } from "@/domain/messages/side";

/** Characters of a name that stay on one line of a row. */
const NAME = 40;

export function placeHref(side: MessageSide, place: string): string {
  return `/${SIDE_WORDS[side].places}/${encodeURIComponent(place)}`;
}

export interface PlaceTableProps {
  readonly places: PlacesView;
  /** Rows shown at most; the others are a link away. */
  readonly most?: number | undefined;
  readonly title?: string | undefined;
}

/** What waits, fails and is dead per topic or consumer, and how much was done in the last hour; it adds up to its last line. */
export function PlaceTable({ places, most, title }: PlaceTableProps) {
  const { side, rows, at, rolledUpMs } = places;
  const words = SIDE_WORDS[side];
  if (rows.length === 0) return null;
  const shown = most === undefined ? rows : rows.slice(0, most);
  const rolled =
    rolledUpMs === undefined ? (
      "not rolled up yet"
    ) : (
      <>
        last hour rolled up <Time at={new Date(Date.parse(at) - rolledUpMs).toISOString()} now={at} form="ago" />
      </>
    );
  const all =
    shown.length < rows.length || places.more ? (
      <Link href={`/${words.places}`}>
        All {formatCount(rows.length)}
        {places.more ? "+" : ""} {words.places}
      </Link>
    ) : undefined;
  return (
    <div className={styles["places"]}>
      <SectionTable
        title={title ?? `By ${words.place.toLowerCase()}`}
        note={
          <>
            {counted([...rows, places.open])}, {rolled}
          </>
        }
        right={all}
        space="none"
        label={`Open messages by ${words.place.toLowerCase()}`}
        columns={columns(side, sumOf(rows))}
        rows={shown}
        rowId={({ place }) => place}
      />
    </div>
  );
}

type Numbers = Pick<PlaceRow, "waiting" | "sampled" | "failing" | "dead" | "oldestMs" | "hour">;

const counted = (rows: readonly WaitingCount[]): string =>
  rows.some(isAtLeast) ? `what waits is counted up to ${formatCount(WAITING_COUNTED)}` : "what is open is exact";

function columns(side: MessageSide, all: Numbers): Readonly<Record<string, RowColumn<PlaceRow>>> {
  const { place, count } = SIDE_WORDS[side];
  const none = <span className="quiet">none</span>;
  const notCounted = <span className="quiet">not counted</span>;
  const number = (cell: (row: Numbers) => ReactNode, phone: RowColumn<PlaceRow>["phone"] = "hidden") =>
    ({ align: "right", phone, cell, sum: cell(all) }) as const;
  return {
    [place]: { phone: "full", sum: "All", cell: (row) => <PlaceName row={row} /> },
    Waiting: number(
      (row) =>
        isUncounted(row) ? (
          <span className="quiet">{waitingCount(row)}</span>
        ) : (
          <Count value={row.waiting} more={isAtLeast(row)} unit="waiting" />
        ),
      "left",
    ),
    Oldest: number((row) =>
      row.oldestMs === undefined
        ? isUncounted(row)
          ? notCounted
          : none
        : `${formatAge(row.oldestMs)}${isAtLeast(row) ? "+" : ""}`,
    ),
    Failing: number(({ failing }) => <Count value={failing} more={isAtLeast({ waiting: failing })} tone="doubt" />),
    Dead: number(({ dead }) => <Count value={dead} tone="broken" unit="dead" />, "right"),
    [`${count}, 1 h`]: number(({ hour }) => <Count value={hour.succeeded} />),
    "Last hour": number(({ hour }) => <Bars values={hour.spark} done={hour.succeeded} />),
    "Lag p95": {
      ...number(({ hour: { lagP95Ms } }) => (lagP95Ms === undefined ? none : formatDuration(lagP95Ms))),
      // A percentile of all is not known from those of each: it is no more than the highest of them.
      sum: all.hour.lagP95Ms === undefined ? none : `up to ${formatDuration(all.hour.lagP95Ms)}`,
    },
  };
}

interface CountProps {
  readonly value: number;
  /** Counting stopped there. */
  readonly more?: boolean;
  readonly tone?: "doubt" | "broken";
  readonly unit?: string;
}

/** Zero is quiet, trouble is not. On the phone its column has no head, so the number says what it counts. */
export function Count({ value, more = false, tone, unit }: CountProps) {
  return (
    <span className={value === 0 ? "quiet" : tone && `bold ${tone}`}>
      {formatCount(value)}
      {more && "+"}
      {unit !== undefined && <span className="phone-only"> {unit}</span>}
    </span>
  );
}

function sumOf(rows: readonly PlaceRow[]): Numbers {
  const sum = (part: (row: PlaceRow) => number): number => rows.reduce((total, row) => total + part(row), 0);
  const most = (part: (row: PlaceRow) => number | undefined): number | undefined => {
    const known = rows.map(part).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  return {
    waiting: sum((row) => row.waiting),
    sampled: rows.some(isAtLeast),
    failing: sum((row) => row.failing),
    dead: sum((row) => row.dead),
    oldestMs: most((row) => row.oldestMs),
    hour: {
      succeeded: sum((row) => row.hour.succeeded),
      failed: 0,
      dead: 0,
      spark: (rows[0]?.hour.spark ?? []).map((_, index) => sum((row) => row.hour.spark[index] ?? 0)),
      lagP95Ms: most((row) => row.hour.lagP95Ms),
    },
  };
}

function Bars({ values, done }: { readonly values: readonly number[]; readonly done: number }) {
  return (
    <span className={styles["spark"]}>
      <Trend values={values} color="ink" label={`${formatCount(done)} in the last hour, five minutes a bar`} />
    </span>
  );
}

export function PlaceName({ row }: { readonly row: PlaceRow }) {
  return (
    <span className={styles["name"]}>
      <Link href={placeHref(row.side, row.place)} title={row.label.length > NAME ? row.label : undefined}>
        {fitLabel(row.label, NAME)}
      </Link>
      {row.transport !== undefined && <i>{row.transport}</i>}
      {row.paused !== undefined && (
        <i data-tone="doubt" title={`by ${row.paused.by}: ${row.paused.reason}`}>
          paused
        </i>
      )}
      {row.outage !== undefined && (
        <i data-tone="broken" title={row.outage}>
          {outageText(row.outage)}
        </i>
      )}
      {row.alone > 0 && <i>{waitingCount({ waiting: row.alone, sampled: row.sampled })} handled alone</i>}
    </span>
  );
}
