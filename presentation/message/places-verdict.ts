import { formatAge, formatCount, formatDuration } from "../format/display-time";
import { cutName } from "../format/cut-middle";
import { outageText } from "@/domain/messages/outage";
import { holding, type PageClaim } from "@/domain/page-claim";
import { verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import type { PlaceRow, PlacesView } from "../views/places";
import { few, plural, spokenDuration } from "../format/words";
import { SIDE_WORDS } from "./sides";

const LATE_MS = 60_000;
const SECOND = 1_000;
/** Places that are named in one sentence; more are counted together. */
const NAMED = 2;
/** A roll-up that is older says nothing of the last hour. */
const COUNTED_MS = 120_000;

type Side = PlaceRow["side"];
type Tone = NonNullable<VerdictClause["tone"]>;
interface TonedClaim<Facts> extends PageClaim<Facts> {
  readonly tone: Tone;
}
const claim = <Facts>(
  name: string,
  tone: Tone,
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
): TonedClaim<Facts> => ({ name, tone, holds, words });
const clausesOf = <Facts>(claims: readonly TonedClaim<Facts>[], facts: Facts): readonly VerdictClause[] =>
  holding(claims, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));

const WAIT: Readonly<Record<Side, readonly [string, string]>> = {
  outbox: ["waits", "wait"],
  inbox: ["waits to be handled", "wait to be handled"],
};
const waits = (side: Side, count: number): string => `${plural(count, "message")} ${WAIT[side][count === 1 ? 0 : 1]}`;
const deadWords = (dead: number): string => `${plural(dead, "message")} ${dead === 1 ? "is" : "are"} dead.`;
const lost = (count: number): string =>
  count === 0
    ? "nothing waits"
    : `${count < 4 ? few(count) : formatCount(count)} ${count === 1 ? "waits" : "wait"}, none is lost`;
const upper = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** "next attempt in 8 s". */
function nextTry(next: string | undefined, at: string): string {
  const ms = next === undefined ? 0 : Date.parse(next) - Date.parse(at);
  return ms > 0 ? `next attempt in ${formatAge(Math.ceil(ms / SECOND) * SECOND)}` : "tried again now";
}

/** One topic or consumer, and when it was read. */
export interface PlaceFacts {
  readonly row: PlaceRow;
  readonly at: string;
  /** Age of the newest rolled-up minute; undefined: never. */
  readonly rolledUpMs?: number | undefined;
}
type PlaceClaim = TonedClaim<PlaceFacts>;

const isPaused = ({ paused }: PlaceRow): boolean => paused !== undefined;
const isOut = (row: PlaceRow): boolean => !isPaused(row) && row.outage !== undefined;
/** Nothing is tried there now. */
const rests = (row: PlaceRow): boolean => isPaused(row) || isOut(row);
const isFailing = (row: PlaceRow): boolean => !rests(row) && row.failing > 0;
/** The oldest of what waits there waits too long. */
export const isLatePlace = ({ oldestMs = 0 }: Pick<PlaceRow, "oldestMs">): boolean => oldestMs > LATE_MS;
const isCounted = ({ rolledUpMs }: PlaceFacts): boolean => rolledUpMs !== undefined && rolledUpMs <= COUNTED_MS;
const subject = (row: PlaceRow): string => `${SIDE_WORDS[row.side].place} ${cutName(row.label)}`;
const where = ({ side, label, failing }: PlaceRow): string =>
  failing > 0 ? "" : side === "outbox" ? ` in topic ${cutName(label)}` : ` by ${cutName(label)}`;

const PAUSED: PlaceClaim = claim(
  "paused",
  "doubt",
  ({ row }) => isPaused(row),
  ({ row, at }) =>
    `${subject(row)} paused ${spokenDuration(Date.parse(at) - Date.parse(row.paused?.at ?? at))} ago: ${lost(row.waiting)}.`,
);
const OUT: PlaceClaim = claim(
  "could not be sent",
  "broken",
  ({ row }) => isOut(row),
  ({ row }) => {
    const long = row.oldestMs === undefined ? "" : `, the oldest for ${spokenDuration(row.oldestMs)}`;
    return `${subject(row)}: at the last try ${outageText(row.outage ?? "")}. ${upper(lost(row.waiting))}${long}.`;
  },
);
const FAILING: PlaceClaim = claim(
  "failing",
  "doubt",
  ({ row }) => isFailing(row),
  ({ row, at }) => `${subject(row)}: ${formatCount(row.failing)} failing, ${nextTry(row.nextFailingAt, at)}.`,
);

/** What was done there of late. */
const HOUR: readonly PlaceClaim[] = [
  claim(
    "none done in the hour",
    "fine",
    (facts) => isCounted(facts) && facts.row.hour.succeeded === 0,
    ({ row }) => `${SIDE_WORDS[row.side].count} none in the last hour.`,
  ),
  claim(
    "done in the hour",
    "fine",
    (facts) => isCounted(facts) && facts.row.hour.succeeded > 0,
    ({ row: { side, hour } }) => {
      const lag = hour.lagP95Ms === undefined ? "" : `, lag p95 up to ${formatDuration(hour.lagP95Ms)}`;
      return `${SIDE_WORDS[side].count} ${plural(hour.succeeded, "message")} in the last hour${lag}.`;
    },
  ),
  claim(
    "hour not counted",
    "fine",
    (facts) => !isCounted(facts),
    ({ row }) => `What was ${SIDE_WORDS[row.side].count.toLowerCase()} in the last hour is not counted yet.`,
  ),
];

/** Everything that the page of one topic or consumer may open with. */
export const PLACE_CLAIMS: readonly PlaceClaim[] = [
  PAUSED,
  OUT,
  FAILING,
  claim(
    "nothing waits there",
    "fine",
    ({ row }) => !rests(row) && row.waiting === 0,
    ({ row }) =>
      row.side === "outbox"
        ? `Nothing waits in topic ${cutName(row.label)}.`
        : `Nothing waits for ${cutName(row.label)}.`,
  ),
  claim(
    "waits there",
    "fine",
    ({ row }) => !rests(row) && row.waiting > 0,
    ({ row }) => `${waits(row.side, row.waiting)}${where(row)}${isLatePlace(row) ? "," : "."}`,
  ),
  claim(
    "waits there for long",
    "broken",
    ({ row }) => !rests(row) && row.waiting > 0 && isLatePlace(row),
    ({ row }) => `the oldest for ${spokenDuration(row.oldestMs ?? 0)}.`,
  ),
  claim(
    "dead there",
    "broken",
    ({ row }) => row.dead > 0,
    ({ row }) => deadWords(row.dead),
  ),
  ...HOUR,
];

/** What a dialog about one topic says of it before a person decides. */
export const TOPIC_DIALOG_CLAIMS: readonly PlaceClaim[] = [
  claim(
    "nothing waits in it",
    "fine",
    ({ row }) => row.waiting === 0,
    () => "Nothing waits in it now.",
  ),
  claim(
    "waits in it",
    "fine",
    ({ row }) => row.waiting > 0,
    ({ row }) => `${waits("outbox", row.waiting)} in it now.`,
  ),
  ...HOUR,
];

/** The sentence of one topic's or consumer's page. */
export function placeVerdict(facts: PlaceFacts): VerdictView {
  return verdictOf(clausesOf(PLACE_CLAIMS, facts));
}

type PlacesFacts = Pick<PlacesView, "side" | "rows" | "at" | "open">;
type PlacesClaim = TonedClaim<PlacesFacts>;

const many = (rows: readonly PlaceRow[]): string =>
  `${String(rows.length)} ${SIDE_WORDS[rows[0]?.side ?? "outbox"].places}`;
const total = (rows: readonly PlaceRow[], part: "waiting" | "failing"): number =>
  rows.reduce((sum, row) => sum + row[part], 0);

function earliest(rows: readonly PlaceRow[]): string | undefined {
  return rows
    .flatMap((row) => (row.nextFailingAt === undefined ? [] : [row.nextFailingAt]))
    .sort()
    .at(0);
}

/** Of several places at once, where each by its name would be too much to read. */
const together = (
  name: string,
  tone: Tone,
  which: (row: PlaceRow) => boolean,
  words: (rows: readonly PlaceRow[], at: string) => string,
): PlacesClaim =>
  claim(
    name,
    tone,
    ({ rows }) => rows.filter(which).length > NAMED,
    ({ rows, at }) => words(rows.filter(which), at),
  );

/** What is wrong at places, each by its own claim while they are few. */
const TROUBLES: readonly {
  readonly which: (row: PlaceRow) => boolean;
  readonly one: PlaceClaim;
  readonly several: PlacesClaim;
}[] = [
  {
    which: isPaused,
    one: PAUSED,
    several: together(
      "several paused",
      "doubt",
      isPaused,
      (rows) => `${many(rows)} are paused: ${lost(total(rows, "waiting"))}.`,
    ),
  },
  {
    which: isOut,
    one: OUT,
    several: together(
      "several could not be sent",
      "broken",
      isOut,
      (rows) => `Nothing could be sent to ${many(rows)} at the last try: ${lost(total(rows, "waiting"))}.`,
    ),
  },
  {
    which: isFailing,
    one: FAILING,
    several: together(
      "several failing",
      "doubt",
      isFailing,
      (rows, at) =>
        `${formatCount(total(rows, "failing"))} are failing at ${many(rows)}, ${nextTry(earliest(rows), at)}.`,
    ),
  },
];

/** What waits at places that rest says its age beside them. */
const oldestOf = ({ rows }: PlacesFacts): number =>
  Math.max(0, ...rows.filter((row) => !rests(row)).map((row) => row.oldestMs ?? 0));
const someRest = ({ rows }: PlacesFacts): boolean => rows.some((row) => rests(row) && row.waiting > 0);
const isLongAgo = (facts: PlacesFacts): boolean => facts.open.waiting > 0 && oldestOf(facts) > LATE_MS;

/** Everything that a list of messages may open with, beside what is wrong at single places. */
export const PLACES_CLAIMS: readonly PlacesClaim[] = [
  ...TROUBLES.map(({ several }) => several),
  claim(
    "nothing waits",
    "fine",
    ({ open }) => open.waiting === 0,
    ({ side }) => `Nothing waits in the ${side}.`,
  ),
  claim(
    "waits",
    "fine",
    ({ open }) => open.waiting > 0,
    (facts) => `${waits(facts.side, facts.open.waiting)}${isLongAgo(facts) ? "," : "."}`,
  ),
  claim(
    "waits for long",
    "broken",
    isLongAgo,
    (facts) => `the oldest ${someRest(facts) ? "elsewhere " : ""}for ${spokenDuration(oldestOf(facts))}.`,
  ),
  claim(
    "dead",
    "broken",
    ({ open }) => open.dead > 0,
    ({ open }) => deadWords(open.dead),
  ),
];

/**
 * What a list of messages opens with: what is wrong first, by place, then how much waits.
 * "Topic payments paused 4 minutes ago: 12 wait, none is lost. 3 messages are dead."
 */
export function placesVerdict(facts: PlacesFacts): VerdictView {
  const named = TROUBLES.flatMap(({ which, one, several }) => {
    const rows = facts.rows.filter(which);
    return rows.length > NAMED
      ? clausesOf([several], facts)
      : rows.flatMap((row) => clausesOf([one], { row, at: facts.at }));
  });
  const rest = PLACES_CLAIMS.slice(TROUBLES.length);
  return verdictOf([...named, ...clausesOf(rest, facts)]);
}
