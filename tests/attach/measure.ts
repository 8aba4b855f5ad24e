import type { Foreign } from "@/attach/connection";
import { ATTACH_SCHEMA, type AttachView } from "@/attach/contract/columns";
import type { AttachManifest } from "@/attach/contract/manifest";
import { explain, type Explained } from "@/attach/read/explain";
import { listRows, listStatement, ROWS_PER_PAGE, wayOf } from "@/attach/read/list-rows";
import type { ForeignDatabase } from "@/attach/testing/foreign-database";

/** Half of them from the newest row on, half from the middle of the list; enough that a machine that does something else meanwhile is no fault. */
const PAGES = 100;
/** For the pages of one place: a list that is too slow is known to be so after few of them. */
const MAX_PLACE_MS = 10_000;
/** A machine that does something else meanwhile is no fault of a list: what is too slow is measured again, and the best of so many counts. */
const ROUNDS = 3;
/** What a page may take of a list that is shown. */
const MAX_P95_MS = 50;
/** The same where the machine is busy: beside what it takes for nothing. */
const isTooSlow = (p95: number, idle: number): boolean => p95 > MAX_P95_MS && p95 - idle > MAX_P95_MS;
/** Of the rows that a long table was given: what has more is not read from end to end for a list that is shown. */
const MAX_SCANNED = 0.1;

/** Pages from one place of a list on. */
interface Place extends Explained {
  /** Why they are not shown. */
  readonly because: string | undefined;
  /** What each page took, ms. */
  readonly took: readonly number[];
  /** What the same turns of the wire took without a list, each right behind a page: what this machine does meanwhile. */
  readonly idle: readonly number[];
  /** The statement of its first page. */
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface MeasuredView {
  readonly preset: string;
  readonly view: AttachView;
  /** Of the view. */
  readonly rows: number;
  readonly first: Place;
  /** Of a list that has a middle. */
  readonly middle: Place | undefined;
  /** What the payload of one row took, ms; nothing where the preset shows none. */
  readonly payload: number | undefined;
  /** Why this is not good enough. */
  readonly faults: readonly string[];
}

export interface Attached {
  readonly database: ForeignDatabase;
  /** The login of Onceboard. */
  readonly foreign: Foreign;
  readonly manifest: AttachManifest;
  /** Of each table that is long. */
  readonly rows: number;
}

/** What the lists of one view cost, and take. */
export async function measureView(
  { database, foreign, manifest, rows: long }: Attached,
  view: AttachView,
): Promise<MeasuredView> {
  const types = manifest.views[view]?.order ?? [];
  const cursors = types.map((_, index) => `order_${String(index + 1)}`);
  const from = `${ATTACH_SCHEMA}.${view}`;
  const [counted] = await database.run<{ rows: string }>(`select count(*) as rows from ${from}`);
  const rows = Number(counted?.rows ?? 0);
  const [middle] = await database.run<Record<string, string>>(
    `select ${cursors.map((name) => `${name}::text as ${name}`).join(", ")} from ${from} order by ${cursors.map((name) => `${from}.${name} desc`).join(", ")} offset $1 limit 1`,
    [Math.floor(rows / 2)],
  );
  const after = middle === undefined ? undefined : cursors.map((name) => String(middle[name]));
  const at = { foreign, manifest, view, types };
  const places = await bestPlaces(at, after);
  const faults = await faultsOf(database, places, long);
  const payload = await readPayload(database, foreign, from);
  return { preset: manifest.preset, view, rows, ...places, payload, faults };
}

interface Places {
  readonly first: Place;
  readonly middle: Place | undefined;
}

async function bestPlaces(list: ListOfView, after: readonly string[] | undefined): Promise<Places> {
  let best: Places | undefined;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const places = {
      first: await readPages(list, undefined),
      middle: after === undefined ? undefined : await readPages(list, after),
    };
    if (best === undefined || p95Of(places) < p95Of(best)) best = places;
    if (!isTooSlow(p95Of(best), idleOf(best))) break;
  }
  if (best === undefined) throw new Error("no round");
  return best;
}

const shownOf = ({ first, middle }: Places): readonly Place[] =>
  [first, middle].flatMap((place) => (place === undefined || place.because !== undefined ? [] : [place]));

function p95Of(places: Places): number {
  return percentile(
    shownOf(places).flatMap(({ took }) => took),
    0.95,
  );
}

export function idleOf(places: Pick<MeasuredView, "first" | "middle">): number {
  return percentile(
    [places.first, places.middle].flatMap((place) => place?.idle ?? []),
    0.95,
  );
}

interface ListOfView {
  readonly foreign: Foreign;
  readonly manifest: AttachManifest;
  readonly view: AttachView;
  readonly types: readonly string[];
}

async function readPages(list: ListOfView, start: readonly string[] | undefined): Promise<Place> {
  const { foreign, manifest, view, types } = list;
  const values = [...(start ?? []), ROWS_PER_PAGE + 1];
  const text = listStatement(ATTACH_SCHEMA, view, types, start !== undefined);
  const way = await wayOf(foreign, ATTACH_SCHEMA, view, types, ROWS_PER_PAGE);
  const seen = "read" in way ? await explain(way.read, text, values) : way.explained;
  const explained = { ...seen, text, values };
  const took: number[] = [];
  const idle: number[] = [];
  const ends = performance.now() + MAX_PLACE_MS;
  let after = start;
  while (took.length < PAGES / 2 && performance.now() < ends) {
    const began = performance.now();
    const page = await listRows(foreign, ATTACH_SCHEMA, manifest, view, { after });
    if (!page.shown) return { ...explained, because: page.because, took, idle };
    took.push(performance.now() - began);
    const idled = performance.now();
    await foreign.walking(async (query) => {
      await query("explain (format json) select 1");
      return query("select 1");
    });
    idle.push(performance.now() - idled);
    // A list that is short is read again.
    after = page.next ?? start;
  }
  return { ...explained, because: undefined, took, idle };
}

async function faultsOf(database: ForeignDatabase, places: Places, rows: number): Promise<readonly string[]> {
  const faults: string[] = [];
  const shown = shownOf(places);
  const p95 = p95Of(places);
  if (isTooSlow(p95, idleOf(places))) faults.push(`a page takes ${p95.toFixed(0)} ms`);
  const scanned = [...new Set(shown.flatMap((place) => place.scanned))];
  const long = await database.run<{ readonly name: string }>(
    `select relname::text as name from pg_class
     where relkind = 'r' and relname = any($1) and reltuples > $2 and relnamespace <> 'pg_catalog'::regnamespace`,
    [scanned, rows * MAX_SCANNED],
  );
  for (const { name } of long) faults.push(`it reads all of ${name}`);
  return faults;
}

/** What PostgreSQL does for the first page of each place, and how long it takes over each step. */
export async function plansOf(database: ForeignDatabase, { first, middle }: MeasuredView): Promise<string> {
  const plans: string[] = [];
  for (const place of [first, middle]) {
    if (place === undefined) continue;
    const { text, values } = place;
    const lines = await database.run<{ readonly "QUERY PLAN": string }>(`explain (analyze, buffers) ${text}`, values);
    plans.push(
      [place === first ? "First page:" : "In the middle:", ...lines.map((line) => line["QUERY PLAN"])].join("\n"),
    );
  }
  return plans.join("\n");
}

/** @returns what the payload of a row took that has one */
async function readPayload(database: ForeignDatabase, foreign: Foreign, from: string): Promise<number | undefined> {
  const [made] = await database.run(
    `select from pg_proc where proname = 'payload' and pronamespace = '${ATTACH_SCHEMA}'::regnamespace`,
  );
  const [row] = await database.run<{ id: string }>(`select id from ${from} limit 1`);
  if (made === undefined || row === undefined) return undefined;
  const began = performance.now();
  const found = await foreign.query(`select * from ${ATTACH_SCHEMA}.payload($1)`, [row.id]);
  return found.length === 0 ? undefined : performance.now() - began;
}

/** @param share between 0 and 1 @returns 0 of nothing */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
