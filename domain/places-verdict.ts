import { formatAge, formatDuration } from "./display-time";
import { outageText } from "./outage";
import { verdictOf } from "./verdict";
import type { VerdictClause, VerdictView } from "./views/common";
import type { PlaceRow, PlacesView } from "./views/places";
import { few, plural, spokenDuration } from "./words";

/** A message that waits longer than this is late. */
const LATE_MS = 60_000;
const SECOND = 1_000;
/** Places that are named in one sentence; the rest is counted. */
const NAMED = 2;

type Side = PlaceRow["side"];
const NOUN: Readonly<Record<Side, string>> = { outbox: "Topic", inbox: "Consumer" };
const WAIT: Readonly<Record<Side, readonly [string, string]>> = {
  outbox: ["waits", "wait"],
  inbox: ["waits to be handled", "wait to be handled"],
};

const fine = (text: string): VerdictClause => ({ text, tone: "fine" });
const doubt = (text: string): VerdictClause => ({ text, tone: "doubt" });
const broken = (text: string): VerdictClause => ({ text, tone: "broken" });

function waits(side: Side, count: number): string {
  return `${plural(count, "message")} ${WAIT[side][count === 1 ? 0 : 1]}`;
}

/**
 * What a list of messages opens with: what is wrong first, by place, then how much waits.
 * "Topic payments is paused: 12 wait, none is lost. 3 messages are dead."
 */
export function placesVerdict({ side, rows, at }: Pick<PlacesView, "side" | "rows" | "at">): VerdictView {
  const sum = (part: (row: PlaceRow) => number): number => rows.reduce((total, row) => total + part(row), 0);
  const waiting = sum((row) => row.waiting);
  const dead = sum((row) => row.dead);
  const rests = (row: PlaceRow): boolean => row.paused !== undefined || row.outage !== undefined;
  const oldest = Math.max(0, ...rows.filter((row) => !rests(row)).map((row) => row.oldestMs ?? 0));
  return verdictOf([
    ...named(
      rows.filter((row) => row.paused !== undefined),
      (row) => paused(row, at),
    ),
    ...named(
      rows.filter((row) => row.paused === undefined && row.outage !== undefined),
      outage,
    ),
    ...named(
      rows.filter((row) => !rests(row) && row.failing > 0),
      (row) => failing(row, at),
    ),
    ...waitingClauses(side, waiting, oldest),
    ...(dead === 0 ? [] : [broken(`${plural(dead, "message")} ${dead === 1 ? "is" : "are"} dead.`)]),
  ]);
}

function waitingClauses(side: Side, waiting: number, oldest: number): readonly VerdictClause[] {
  if (waiting === 0)
    return [fine(side === "outbox" ? "Nothing waits in the outbox." : "Everything that arrived is handled.")];
  if (oldest <= LATE_MS) return [fine(`${waits(side, waiting)}.`)];
  return [fine(`${waits(side, waiting)},`), broken(`the oldest for ${spokenDuration(oldest)}.`)];
}

function named(rows: readonly PlaceRow[], say: (row: PlaceRow) => VerdictClause): readonly VerdictClause[] {
  const rest = rows.length - NAMED;
  const more =
    rest > 0
      ? [
          doubt(
            `${few(rest)} more ${rest === 1 ? "is" : "are"} like that.`.replace(/^./, (first) => first.toUpperCase()),
          ),
        ]
      : [];
  return [...rows.slice(0, NAMED).map(say), ...more];
}

const subject = (row: PlaceRow): string => `${NOUN[row.side]} ${row.label}`;
const behind = (row: PlaceRow): string => `${few(row.waiting)} ${row.waiting === 1 ? "waits" : "wait"}, none is lost`;

function paused(row: PlaceRow, at: string): VerdictClause {
  const since = Date.parse(at) - Date.parse(row.paused?.at ?? at);
  return doubt(
    `${subject(row)} is paused for ${spokenDuration(since)}: ${row.waiting === 0 ? "nothing waits" : behind(row)}.`,
  );
}

function outage(row: PlaceRow): VerdictClause {
  const long = row.oldestMs === undefined ? "" : `, the oldest for ${spokenDuration(row.oldestMs)}`;
  return broken(
    `${subject(row)}: ${outageText(row.outage ?? "")}. ${behind(row).replace(/^./, (first) => first.toUpperCase())}${long}.`,
  );
}

function failing(row: PlaceRow, at: string): VerdictClause {
  return doubt(`${subject(row)}: ${String(row.failing)} failing, ${nextTry(row.nextFailingAt, at)}.`);
}

/** "next attempt in 8 s". */
function nextTry(next: string | undefined, at: string): string {
  const ms = next === undefined ? 0 : Date.parse(next) - Date.parse(at);
  return ms > 0 ? `next attempt in ${formatAge(Math.ceil(ms / SECOND) * SECOND)}` : "tried again now";
}

/** The sentence of one topic's or consumer's page. */
export function placeVerdict(row: PlaceRow, at: string): VerdictView {
  const { side, hour } = row;
  const done = side === "outbox" ? "Published" : "Handled";
  const lag = hour.lagP95Ms === undefined ? "" : `, 95 of 100 within ${formatDuration(hour.lagP95Ms)}`;
  const rests = row.paused !== undefined || row.outage !== undefined;
  const oldest = !rests && (row.oldestMs ?? 0) > LATE_MS ? row.oldestMs : undefined;
  return verdictOf([
    ...(row.paused === undefined ? [] : [paused(row, at)]),
    ...(row.paused !== undefined || row.outage === undefined ? [] : [outage(row)]),
    ...(rests || row.failing === 0 ? [] : [failing(row, at)]),
    ...(rests ? [] : waitingClauses(side, row.waiting, oldest ?? 0)),
    ...(row.dead === 0 ? [] : [broken(`${plural(row.dead, "message")} ${row.dead === 1 ? "is" : "are"} dead.`)]),
    fine(
      hour.succeeded === 0
        ? `${done} none in the last hour.`
        : `${done} ${plural(hour.succeeded, "message")} in the last hour${lag}.`,
    ),
  ]);
}
