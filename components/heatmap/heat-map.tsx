"use client";

import { useRef, useState, type KeyboardEvent } from "react";
import { bucketText } from "@/components/charts/axis";
import { ZoneAxis } from "@/components/charts/zone-axis";
import { Link } from "@/components/ui/link";
import { useZone } from "@/components/ui/values/use-zone";
import { NO_CLIENT_NAME } from "@/domain/lists/filters";
import type { Zone } from "@/domain/time-zone";
import { formatCount } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { heatStep, isFarMore } from "@/presentation/metrics/heatmap";
import { changeWords, HEAT_COMPARE_WORDS, HEAT_WORDS } from "@/presentation/metrics/heatmap-verdict";
import { NO_CLIENT, withoutMilliseconds } from "@/presentation/metrics/measure-links";
import type { HeatCell, HeatmapView, HeatRow } from "@/presentation/views/heatmap";
import styles from "./heatmap.module.css";

type Map = Pick<HeatmapView, "measure" | "compare" | "columns" | "rows" | "all" | "page">;

export interface HeatMapProps {
  readonly map: Map;
  /** The cell that is open. */
  readonly open?: { readonly client: string; readonly from: string } | undefined;
  readonly address: PageAddress;
}

/** Columns that a phone has room for. */
const PHONE_COLUMNS = 12;
const LABELS = 7;
const PHONE_LABELS = 4;
const WALK: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Clients by time: each cell is a link to itself, with its numbers as its name. Arrow keys walk; one of all cells is reached by Tab. */
export function HeatMap({ map, open, address }: HeatMapProps) {
  const { measure, columns, rows, all } = map;
  const changes = [all, ...rows].some(({ compared }) => compared !== undefined);
  const zone = useZone();
  const body = useRef<HTMLTableSectionElement>(null);
  const openRow = rows.findIndex(({ client }) => client === open?.client);
  const openColumn = columns.findIndex(({ from }) => from === open?.from);
  const [place, setPlace] = useState<readonly [number, number]>();
  const [row, column] = place ?? (openRow < 0 || openColumn < 0 ? [0, columns.length - 1] : [openRow, openColumn]);
  const walk = (event: KeyboardEvent): void => {
    const step = WALK[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = [bounded(row + step[0], rows.length), bounded(column + step[1], columns.length)] as const;
    setPlace(next);
    body.current?.querySelector<HTMLElement>(`[data-place="${next.join(" ")}"]`)?.focus();
  };
  const times = columns.map(({ from }) => from);
  return (
    <div className={styles["map"]} data-measure={measure} data-changes={changes || undefined}>
      <table className={styles["cells"]} role="grid" aria-label={`${HEAT_WORDS[measure].label} by client and time`}>
        <Head times={times} changes={changes} />
        <tbody ref={body} onKeyDown={walk}>
          {rows.map((each, at) => (
            <tr key={each.client}>
              <Name client={each.client} />
              {each.cells.map((cell, index) => (
                <td key={times[index]} data-old={isOld(index, times.length)}>
                  <Cell
                    {...{ cell, address }}
                    client={each.client}
                    from={times[index] ?? ""}
                    name={cellName(map, each.client, index, zone, cell)}
                    place={`${String(at)} ${String(index)}`}
                    reached={at === row && index === column}
                    open={at === openRow && index === openColumn}
                    onReach={() => {
                      setPlace([at, index]);
                    }}
                  />
                </td>
              ))}
              <Sums of={each} changes={changes} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All clients</th>
            {times.map((from, index) => (
              <td key={from} data-old={isOld(index, times.length)} />
            ))}
            <Sums of={all} changes={changes} />
          </tr>
        </tfoot>
      </table>
      <ZoneAxis times={times} most={LABELS} className={styles["axis"]} />
      <ZoneAxis times={times.slice(-PHONE_COLUMNS)} most={PHONE_LABELS} className={styles["phoneAxis"]} />
    </div>
  );
}

/** Whether a column is left out on a phone. */
function isOld(index: number, size: number): true | undefined {
  return index < size - PHONE_COLUMNS ? true : undefined;
}

/** @param changes whether anything can be compared: without it there is no column of changes */
function Head({ times, changes }: { readonly times: readonly string[]; readonly changes: boolean }) {
  const zone = useZone();
  return (
    <thead>
      <tr>
        <th scope="col" className={styles["corner"]}>
          <span className="spoken">Client</span>
        </th>
        {times.map((from, index) => (
          <th key={from} scope="col" data-old={isOld(index, times.length)}>
            <span className="spoken">{bucketText(from, times, zone)}</span>
          </th>
        ))}
        <th scope="col" className={styles["sum"]}>
          total
        </th>
        {changes && (
          <th scope="col" className={styles["change"]}>
            change
          </th>
        )}
      </tr>
    </thead>
  );
}

function Name({ client }: { readonly client: string }) {
  return (
    <th scope="row" title={client}>
      {client === "" ? (
        NO_CLIENT
      ) : (
        <Link href={`/clients/${encodeURIComponent(client)}`} data-plain>
          {client}
        </Link>
      )}
    </th>
  );
}

/** "till-web, 14:00 to 14:15: 412 replays, last week 40, far more than last week". */
function cellName(map: Map, client: string, index: number, zone: Zone, cell: HeatCell): string {
  const times = map.columns.map(({ from }) => from);
  const { from = "", to = "", partial = false } = map.columns[index] ?? {};
  return [
    `${client === "" ? NO_CLIENT : client}, ${bucketText(from, times, zone)} to ${bucketText(to, times, zone)}: ${cellWords(map, cell)}`,
    ...(partial ? ["not all of it is rolled up"] : []),
    ...(isFarMore(cell) ? [`far more than ${HEAT_COMPARE_WORDS[map.compare]}`] : []),
  ].join(", ");
}

const bounded = (index: number, size: number): number => Math.min(size - 1, Math.max(0, index));

function cellWords({ measure, compare }: Map, { count, compared }: HeatCell): string {
  if (count === null) return "no data";
  const { one, many } = HEAT_WORDS[measure];
  const than = compared === undefined ? "" : `, ${HEAT_COMPARE_WORDS[compare]} ${formatCount(compared)}`;
  return `${count === 0 ? `no ${one}` : plural(count, one, many)}${than}`;
}

interface CellProps {
  readonly cell: HeatCell;
  readonly client: string;
  readonly from: string;
  readonly name: string;
  /** Row and column, for keys. */
  readonly place: string;
  readonly reached: boolean;
  readonly open: boolean;
  readonly address: PageAddress;
  readonly onReach: () => void;
}

function Cell({ cell, client, from, name, place, reached, open, address, onReach }: CellProps) {
  const { count } = cell;
  const shared = {
    className: styles["cell"],
    title: name,
    "aria-label": name,
    "data-place": place,
    "data-step": count === null ? "gap" : heatStep(count),
    "data-far": isFarMore(cell) || undefined,
    tabIndex: reached ? 0 : -1,
    onFocus: onReach,
  };
  // Nothing to open: no answer, or no data.
  if (count === null || count === 0) return <span {...shared} role="img" />;
  return (
    <Link
      {...shared}
      href={hrefWith(address, { client: client === "" ? NO_CLIENT_NAME : client, cell: withoutMilliseconds(from) })}
      scroll={false}
      data-plain
      aria-current={open ? "true" : undefined}
    >
      {null}
    </Link>
  );
}

function Sums({ of: { total, compared }, changes }: { readonly of: HeatRow; readonly changes: boolean }) {
  return (
    <>
      <td className={styles["sum"]}>{formatCount(total)}</td>
      {changes && (
        <td
          className={styles["change"]}
          title={compared === undefined ? undefined : `before: ${formatCount(compared)}`}
        >
          {changeWords(total, compared)}
        </td>
      )}
    </>
  );
}
