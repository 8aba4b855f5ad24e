import { LATE_MS } from "../metrics/overview-verdict";
import { verdictOf } from "../operation/verdict";
import type { VerdictView } from "../views/common";
import type { PlaceRow, PlacesView } from "../views/places";
import { isAtLeast, type WaitingCount, waitingAge, waitingCount } from "../format/waiting-count";
import {
  type ClaimTone,
  isFailingPlace,
  isOutPlace,
  isPausedPlace,
  isRestingPlace,
  messagesDead,
  messagesWait,
  nextPlaceTry,
  PLACE_FAILING,
  PLACE_OUT,
  PLACE_PAUSED,
  type PlaceClaim,
  type TonedPlaceClaim,
  tonedClaim,
  tonedClauses,
  waitAndNoneLost,
} from "./place-verdict";
import { SIDE_WORDS } from "./sides";

/** Places that are named in one sentence; more are counted together. */
const NAMED = 2;

type PlacesFacts = Pick<PlacesView, "side" | "rows" | "at" | "open">;
type PlacesClaim = TonedPlaceClaim<PlacesFacts>;

const many = (rows: readonly PlaceRow[]): string =>
  `${String(rows.length)} ${SIDE_WORDS[rows[0]?.side ?? "outbox"].places}`;
/** At least that many where one of them is. */
const total = (rows: readonly PlaceRow[], part: "waiting" | "failing"): WaitingCount => ({
  waiting: rows.reduce((sum, row) => sum + row[part], 0),
  sampled: rows.some((row) => isAtLeast({ waiting: row[part] })),
});

function earliest(rows: readonly PlaceRow[]): string | undefined {
  return rows
    .flatMap((row) => (row.nextFailingAt === undefined ? [] : [row.nextFailingAt]))
    .sort()
    .at(0);
}

/** Of several places at once, where each by its name would be too much to read. */
const together = (
  name: string,
  tone: ClaimTone,
  which: (row: PlaceRow) => boolean,
  words: (rows: readonly PlaceRow[], at: string) => string,
): PlacesClaim =>
  tonedClaim(
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
    which: isPausedPlace,
    one: PLACE_PAUSED,
    several: together(
      "several paused",
      "doubt",
      isPausedPlace,
      (rows) => `${many(rows)} are paused: ${waitAndNoneLost(total(rows, "waiting"))}.`,
    ),
  },
  {
    which: isOutPlace,
    one: PLACE_OUT,
    several: together(
      "several could not be sent",
      "broken",
      isOutPlace,
      (rows) => `Nothing could be sent to ${many(rows)} at the last try: ${waitAndNoneLost(total(rows, "waiting"))}.`,
    ),
  },
  {
    which: isFailingPlace,
    one: PLACE_FAILING,
    several: together(
      "several failing",
      "doubt",
      isFailingPlace,
      (rows, at) =>
        `${waitingCount(total(rows, "failing"))} are failing at ${many(rows)}, ${nextPlaceTry(earliest(rows), at)}.`,
    ),
  },
];

/** What waits at places that rest says its age beside them. */
const oldestOf = ({ rows }: PlacesFacts): number =>
  Math.max(0, ...rows.filter((row) => !isRestingPlace(row)).map((row) => row.oldestMs ?? 0));
const someRest = ({ rows }: PlacesFacts): boolean => rows.some((row) => isRestingPlace(row) && row.waiting > 0);
const isLongAgo = (facts: PlacesFacts): boolean => facts.open.waiting > 0 && oldestOf(facts) > LATE_MS;

/** Everything that a list of messages may open with, beside what is wrong at single places. */
export const PLACES_CLAIMS: readonly PlacesClaim[] = [
  ...TROUBLES.map(({ several }) => several),
  tonedClaim(
    "nothing waits",
    "fine",
    ({ open }) => open.waiting === 0,
    ({ side }) => `Nothing waits in the ${side}.`,
  ),
  tonedClaim(
    "waits",
    "fine",
    ({ open }) => open.waiting > 0,
    (facts) => `${messagesWait(facts.side, facts.open)}${isLongAgo(facts) ? "," : "."}`,
  ),
  tonedClaim(
    "waits for long",
    "broken",
    isLongAgo,
    (facts) => `the oldest ${someRest(facts) ? "elsewhere " : ""}for ${waitingAge(facts.open, oldestOf(facts))}.`,
  ),
  tonedClaim(
    "dead",
    "broken",
    ({ open }) => open.dead > 0,
    ({ open }) => messagesDead(open.dead),
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
      ? tonedClauses([several], facts)
      : rows.flatMap((row) => tonedClauses([one], { row, at: facts.at }));
  });
  const rest = PLACES_CLAIMS.slice(TROUBLES.length);
  return verdictOf([...named, ...tonedClauses(rest, facts)]);
}
