import { bucketStarts, type ChartWindow } from "@/domain/metrics/chart-window";
import { earlierOf, type HeatCompare, type HeatMeasure, type HeatRange } from "@/domain/metrics/heatmap";
import type { HeatCell, HeatColumn, HeatFacts, HeatRow } from "../views/heatmap";

interface CellSample {
  readonly client?: string | undefined;
  readonly slot: number;
  readonly count: number;
  readonly total?: number | undefined;
  readonly clients?: number | undefined;
  readonly found?: number | undefined;
}

/** One time of the map: the cells that are not empty, and the minutes of each column that were rolled up. */
export interface HeatSamples {
  readonly cells: readonly CellSample[];
  readonly minutes: readonly { readonly slot: number; readonly minutes: number }[];
}

export interface HeatInput {
  readonly measure: HeatMeasure;
  readonly range: HeatRange;
  readonly compare: HeatCompare;
  /** Only clients whose name contains it have rows. */
  readonly find?: string | undefined;
  /** Of the clients, from 1. */
  readonly page: number;
  readonly window: ChartWindow;
  /** End of the newest minute that was rolled up. */
  readonly until: string;
  /** Minutes before this are over and should have been rolled up. */
  readonly due: string;
  readonly now: HeatSamples;
  /** Undefined: nothing is compared with. */
  readonly before?: HeatSamples | undefined;
}

const MINUTE_MS = 60_000;

/** A cell with at least so many, and so many times those of the compared cell, has its corner cut. */
const FAR_MORE_LEAST = 30;
const FAR_MORE_TIMES = 2.4;

/** Whether a cell stands out against the compared time. */
export function isFarMore({ count, compared }: HeatCell): boolean {
  return count !== null && compared !== undefined && count >= FAR_MORE_LEAST && count >= compared * FAR_MORE_TIMES;
}

/** Lower limits of the steps of the ramp. */
export const HEAT_STEPS = [1, 10, 25, 50, 100, 200] as const;

/** @returns 1 to 6, 0 for none */
export function heatStep(count: number): number {
  return HEAT_STEPS.filter((least) => count >= least).length;
}

/** How much of a column was rolled up. */
interface Coverage {
  readonly due: number;
  readonly known: number;
}

/** Lays roll-ups on the columns of the map: an empty cell is 0, one of which nothing was rolled up is null. */
export function buildHeatmap(input: HeatInput) {
  const { window, until } = input;
  const widthMs = window.bucketSeconds * 1_000;
  const starts = bucketStarts(window);
  const coverage = starts.map((from, slot) => coverageOf(input, Date.parse(from), slot));
  const whole = coverage.map(
    ({ due, known }, slot) => known > 0 && known >= due && known <= minutesBefore(input, slot),
  );
  const columns = starts.map((from, slot): HeatColumn => {
    const end = new Date(Date.parse(from) + widthMs).toISOString();
    const { due, known } = coverage[slot] ?? NOTHING;
    return { from, to: known === 0 ? end : earlierOf(end, iso(until)), partial: known > 0 && known < due };
  });
  const row = (client: string | undefined, total: number): HeatRow => {
    const cells = starts.map((_, slot): HeatCell => {
      const count = (coverage[slot]?.known ?? 0) === 0 ? null : countAt(input.now, client, slot);
      const compared =
        whole[slot] === true && input.before !== undefined ? countAt(input.before, client, slot) : undefined;
      return { count, ...(compared !== undefined && { compared }) };
    });
    return { client: client ?? "", total, ...comparedTotal(cells), cells };
  };
  const named = new Map(
    input.now.cells.flatMap(({ client, total = 0 }) => (client === undefined ? [] : [[client, total]])),
  );
  const rows = [...named].map(([client, total]) => row(client, total));
  rows.sort((a, b) => b.total - a.total || a.client.localeCompare(b.client));
  const all = row(undefined, sumOf(input.now.cells.filter(({ client }) => client === undefined)));
  const { clients = 0, found = 0 } = input.now.cells.find((each) => each.clients !== undefined) ?? {};
  return { columns, all, rows, clients, found, facts: factsOf(input, { columns, coverage, all, rows, clients }) };
}

const NOTHING: Coverage = { due: 0, known: 0 };
const iso = (at: string): string => new Date(at).toISOString();
const sumOf = (cells: readonly CellSample[]): number => cells.reduce((sum, { count }) => sum + count, 0);

function coverageOf({ window, due, now }: HeatInput, from: number, slot: number): Coverage {
  const over = Math.min(window.bucketSeconds * 1_000, Date.parse(due) - from) / MINUTE_MS;
  return { due: Math.max(0, Math.floor(over)), known: minutesAt(now, slot) };
}

function minutesAt(samples: HeatSamples, slot: number): number {
  return samples.minutes.find((each) => each.slot === slot)?.minutes ?? 0;
}

/** Of the compared time, which is read up to the same minute of its column. */
function minutesBefore({ before }: HeatInput, slot: number): number {
  return before === undefined ? 0 : minutesAt(before, slot);
}

function countAt({ cells }: HeatSamples, client: string | undefined, slot: number): number {
  return cells.find((each) => each.client === client && each.slot === slot)?.count ?? 0;
}

/** Only where every cell that is known can be compared, and none is missing. */
function comparedTotal(cells: readonly HeatCell[]): { compared?: number } {
  const started = cells.slice(0, cells.findLastIndex(({ count }) => count !== null) + 1);
  if (started.length === 0 || started.some(({ compared }) => compared === undefined)) return {};
  return { compared: started.reduce((sum, { compared = 0 }) => sum + compared, 0) };
}

interface Built {
  readonly columns: readonly HeatColumn[];
  readonly coverage: readonly Coverage[];
  readonly all: HeatRow;
  readonly rows: readonly HeatRow[];
  readonly clients: number;
}

function factsOf(
  { measure, range, compare, page, find }: HeatInput,
  { columns, coverage, all, rows, clients }: Built,
): HeatFacts {
  const more = all.cells.map(({ count, compared }) =>
    count === null || compared === undefined ? undefined : count - compared,
  );
  const most = Math.max(0, ...more.filter((each) => each !== undefined));
  const peak = most === 0 ? undefined : columns[more.indexOf(most)];
  const [first, second] = rows;
  const leads =
    page === 1 &&
    find === undefined &&
    first !== undefined &&
    first.client !== "" &&
    first.total > (second?.total ?? 0);
  return {
    ...{ measure, range, compare, clients, total: all.total, compared: all.compared },
    columns: coverage.filter(({ due, known }) => due > 0 || known > 0).length,
    known: coverage.filter(({ known }) => known > 0).length,
    whole: coverage.filter(({ due, known }) => known > 0 && known >= due).length,
    comparable: all.cells.filter(({ compared }) => compared !== undefined).length,
    peak: peak && { from: peak.from, more: most },
    first: leads ? { client: first.client, total: first.total } : undefined,
  };
}
