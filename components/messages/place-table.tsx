import Link from "next/link";
import type { ReactNode } from "react";
import { Trend } from "@/components/charts/trend";
import { SimpleTable, type SimpleColumn } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatAge, formatCount, formatDuration } from "@/presentation/format/display-time";
import { outageText } from "@/domain/messages/outage";
import { SIDE_WORDS } from "@/presentation/message/sides";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";
import styles from "./messages.module.css";
import type { MessageSide } from "@/domain/messages/side";

/** @returns the page of a topic or a consumer. */
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
      <Section
        title={title ?? `By ${words.place.toLowerCase()}`}
        note={<>what is open is exact, {rolled}</>}
        right={all}
        space="none"
      >
        <SimpleTable
          label={`Open messages by ${words.place.toLowerCase()}`}
          columns={columns(side)}
          rows={shown.map((row) => ({ id: row.place, cells: cells(row) }))}
          sum={sumOf(rows)}
        />
      </Section>
    </div>
  );
}

function columns(side: MessageSide): readonly SimpleColumn[] {
  const words = SIDE_WORDS[side];
  return [
    { id: "place", header: words.place, phone: "full" },
    { id: "waiting", header: "Waiting", align: "right", phone: "left" },
    { id: "oldest", header: "Oldest", align: "right", phone: "hidden" },
    { id: "failing", header: "Failing", align: "right", phone: "hidden" },
    { id: "dead", header: "Dead", align: "right", phone: "right" },
    { id: "done", header: `${words.count}, 1 h`, align: "right", phone: "hidden" },
    { id: "spark", header: "Last hour", align: "right", phone: "hidden" },
    { id: "lag", header: "Lag p95", align: "right", phone: "hidden" },
  ];
}

function cells(row: PlaceRow): Readonly<Record<string, ReactNode>> {
  return {
    place: <PlaceName row={row} />,
    ...numbers(row),
    spark: <Bars values={row.hour.spark} done={row.hour.succeeded} />,
  };
}

type Numbers = Pick<PlaceRow, "waiting" | "failing" | "dead" | "oldestMs" | "hour">;

function numbers({ waiting, failing, dead, oldestMs, hour }: Numbers): Readonly<Record<string, ReactNode>> {
  return {
    waiting: <Count value={waiting} unit="waiting" />,
    oldest: oldestMs === undefined ? <span className="quiet">none</span> : formatAge(oldestMs),
    failing: <Count value={failing} tone="doubt" />,
    dead: <Count value={dead} tone="broken" unit="dead" />,
    done: <Count value={hour.succeeded} />,
    lag: hour.lagP95Ms === undefined ? <span className="quiet">none</span> : formatDuration(hour.lagP95Ms),
  };
}

/** Zero is quiet, trouble is not. On the phone its column has no head, so the number says what it counts. */
function Count({
  value,
  tone,
  unit,
}: {
  readonly value: number;
  readonly tone?: "doubt" | "broken";
  readonly unit?: string;
}) {
  return (
    <span className={value === 0 ? "quiet" : tone && `bold ${tone}`}>
      {formatCount(value)}
      {unit !== undefined && <span className="phone-only"> {unit}</span>}
    </span>
  );
}

function sumOf(rows: readonly PlaceRow[]): Readonly<Record<string, ReactNode>> {
  const sum = (part: (row: PlaceRow) => number): number => rows.reduce((total, row) => total + part(row), 0);
  const most = (part: (row: PlaceRow) => number | undefined): number | undefined => {
    const known = rows.map(part).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  const spark = (rows[0]?.hour.spark ?? []).map((_, index) => sum((row) => row.hour.spark[index] ?? 0));
  const succeeded = sum((row) => row.hour.succeeded);
  return {
    place: "All",
    ...numbers({
      waiting: sum((row) => row.waiting),
      failing: sum((row) => row.failing),
      dead: sum((row) => row.dead),
      oldestMs: most((row) => row.oldestMs),
      hour: { succeeded, failed: 0, dead: 0, spark, lagP95Ms: most((row) => row.hour.lagP95Ms) },
    }),
    spark: <Bars values={spark} done={succeeded} />,
  };
}

function Bars({ values, done }: { readonly values: readonly number[]; readonly done: number }) {
  return (
    <span className={styles["spark"]}>
      <Trend values={values} color="ink" label={`${formatCount(done)} in the last hour, five minutes a bar`} />
    </span>
  );
}

/** The name as a link, how it travels, and why it stands still. */
export function PlaceName({ row }: { readonly row: PlaceRow }) {
  return (
    <span className={styles["name"]}>
      <Link href={placeHref(row.side, row.place)}>{row.label}</Link>
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
      {row.alone > 0 && <i>{formatCount(row.alone)} handled alone</i>}
    </span>
  );
}
