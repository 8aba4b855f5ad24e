import { formatAge, formatCount, formatDuration } from "../format/display-time";
import { cutName } from "../format/cut-middle";
import { outageText } from "@/domain/messages/outage";
import { verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import type { PlaceRow, PlacesView } from "../views/places";
import { few, plural, spokenDuration } from "../format/words";
import { SIDE_WORDS } from "./sides";

const LATE_MS = 60_000;
const SECOND = 1_000;
/** Places that are named in one sentence; more are counted together. */
const NAMED = 2;

type Side = PlaceRow["side"];
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
export function placesVerdict({
  side,
  rows,
  at,
  open: { waiting, dead },
}: Pick<PlacesView, "side" | "rows" | "at" | "open">): VerdictView {
  const rests = (row: PlaceRow): boolean => row.paused !== undefined || row.outage !== undefined;
  const oldest = Math.max(0, ...rows.filter((row) => !rests(row)).map((row) => row.oldestMs ?? 0));
  return verdictOf([
    ...named(
      rows.filter((row) => row.paused !== undefined),
      (row) => paused(row, at),
      (some) => doubt(`${many(some)} are paused: ${lost(total(some, "waiting"))}.`),
    ),
    ...named(
      rows.filter((row) => row.paused === undefined && row.outage !== undefined),
      outage,
      (some) => broken(`Nothing could be sent to ${many(some)} at the last try: ${lost(total(some, "waiting"))}.`),
    ),
    ...named(
      rows.filter((row) => !rests(row) && row.failing > 0),
      (row) => failing(row, at),
      (some) =>
        doubt(`${formatCount(total(some, "failing"))} are failing at ${many(some)}, ${nextTry(earliest(some), at)}.`),
    ),
    ...waitingClauses(side, waiting, oldest, {
      after: "",
      none: side === "inbox" && dead === 0 ? "Everything that arrived is handled." : `Nothing waits in the ${side}.`,
    }),
    ...(dead === 0 ? [] : [broken(`${plural(dead, "message")} ${dead === 1 ? "is" : "are"} dead.`)]),
  ]);
}

/** @param where words after "wait", and what is said while nothing does */
function waitingClauses(
  side: Side,
  waiting: number,
  oldest: number,
  where: { readonly after: string; readonly none: string },
): readonly VerdictClause[] {
  if (waiting === 0) return [fine(where.none)];
  const wording = `${waits(side, waiting)}${where.after}`;
  if (oldest <= LATE_MS) return [fine(`${wording}.`)];
  return [fine(`${wording},`), broken(`the oldest for ${spokenDuration(oldest)}.`)];
}

/** Each by its name while they are few, else all in one sentence. */
function named(
  rows: readonly PlaceRow[],
  say: (row: PlaceRow) => VerdictClause,
  together: (rows: readonly PlaceRow[]) => VerdictClause,
): readonly VerdictClause[] {
  return rows.length <= NAMED ? rows.map(say) : [together(rows)];
}

const many = (rows: readonly PlaceRow[]): string =>
  `${String(rows.length)} ${SIDE_WORDS[rows[0]?.side ?? "outbox"].places}`;
const total = (rows: readonly PlaceRow[], part: "waiting" | "failing"): number =>
  rows.reduce((sum, row) => sum + row[part], 0);

const subject = (row: PlaceRow): string => `${SIDE_WORDS[row.side].place} ${cutName(row.label)}`;
const lost = (count: number): string =>
  count === 0
    ? "nothing waits"
    : `${count < 4 ? few(count) : formatCount(count)} ${count === 1 ? "waits" : "wait"}, none is lost`;
const upper = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

function earliest(rows: readonly PlaceRow[]): string | undefined {
  return rows
    .flatMap((row) => (row.nextFailingAt === undefined ? [] : [row.nextFailingAt]))
    .sort()
    .at(0);
}

function paused(row: PlaceRow, at: string): VerdictClause {
  const since = Date.parse(at) - Date.parse(row.paused?.at ?? at);
  return doubt(`${subject(row)} paused ${spokenDuration(since)} ago: ${lost(row.waiting)}.`);
}

function outage(row: PlaceRow): VerdictClause {
  const long = row.oldestMs === undefined ? "" : `, the oldest for ${spokenDuration(row.oldestMs)}`;
  return broken(
    `${subject(row)}: at the last try ${outageText(row.outage ?? "")}. ${upper(lost(row.waiting))}${long}.`,
  );
}

function failing(row: PlaceRow, at: string): VerdictClause {
  return doubt(`${subject(row)}: ${formatCount(row.failing)} failing, ${nextTry(row.nextFailingAt, at)}.`);
}

/** "next attempt in 8 s". */
function nextTry(next: string | undefined, at: string): string {
  const ms = next === undefined ? 0 : Date.parse(next) - Date.parse(at);
  return ms > 0 ? `next attempt in ${formatAge(Math.ceil(ms / SECOND) * SECOND)}` : "tried again now";
}

/** The sentence of one topic's or consumer's page. */
export function placeVerdict(row: PlaceRow, at: string): VerdictView {
  const { side, hour } = row;
  const name = cutName(row.label);
  const done = SIDE_WORDS[side].count;
  const lag = hour.lagP95Ms === undefined ? "" : `, lag p95 up to ${formatDuration(hour.lagP95Ms)}`;
  const rests = row.paused !== undefined || row.outage !== undefined;
  const oldest = !rests && (row.oldestMs ?? 0) > LATE_MS ? row.oldestMs : undefined;
  return verdictOf([
    ...(row.paused === undefined ? [] : [paused(row, at)]),
    ...(row.paused !== undefined || row.outage === undefined ? [] : [outage(row)]),
    ...(rests || row.failing === 0 ? [] : [failing(row, at)]),
    ...(rests
      ? []
      : waitingClauses(side, row.waiting, oldest ?? 0, {
          after: row.failing > 0 ? "" : side === "outbox" ? ` in topic ${name}` : ` by ${name}`,
          none:
            side === "outbox"
              ? `Nothing waits in topic ${name}.`
              : row.dead === 0
                ? `Everything for ${name} is handled.`
                : `Nothing waits for ${name}.`,
        })),
    ...(row.dead === 0 ? [] : [broken(`${plural(row.dead, "message")} ${row.dead === 1 ? "is" : "are"} dead.`)]),
    fine(
      hour.succeeded === 0
        ? `${done} none in the last hour.`
        : `${done} ${plural(hour.succeeded, "message")} in the last hour${lag}.`,
    ),
  ]);
}
