import { formatAge, formatDuration } from "../format/display-time";
import { cutName } from "../format/cut-middle";
import { outageText } from "@/domain/messages/outage";
import { holding, type PageClaim } from "@/domain/page-claim";
import { LATE_MS } from "../metrics/overview-verdict";
import { verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import type { PlaceRow } from "../views/places";
import {
  isAtLeast,
  type WaitingCount,
  waitingAge,
  waitingCount,
  waitingMessages,
  waitingWords,
} from "../format/waiting-count";
import { few, plural, spokenDuration } from "../format/words";
import { SIDE_WORDS } from "./sides";

const SECOND = 1_000;
/** A roll-up that is older says nothing of the last hour. */
const COUNTED_MS = 120_000;

type Side = PlaceRow["side"];
export type ClaimTone = NonNullable<VerdictClause["tone"]>;
export interface TonedPlaceClaim<Facts> extends PageClaim<Facts> {
  readonly tone: ClaimTone;
}
export const tonedClaim = <Facts>(
  name: string,
  tone: ClaimTone,
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
): TonedPlaceClaim<Facts> => ({ name, tone, holds, words });
export const tonedClauses = <Facts>(
  claims: readonly TonedPlaceClaim<Facts>[],
  facts: Facts,
): readonly VerdictClause[] => holding(claims, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));

const WAIT: Readonly<Record<Side, readonly [string, string]>> = {
  outbox: ["waits", "wait"],
  inbox: ["waits to be handled", "wait to be handled"],
};
export const messagesWait = (side: Side, of: WaitingCount): string =>
  `${waitingMessages(of)} ${WAIT[side][of.waiting === 1 && !isAtLeast(of) ? 0 : 1]}`;
export const messagesDead = (dead: number): string => `${plural(dead, "message")} ${dead === 1 ? "is" : "are"} dead.`;
export const waitAndNoneLost = (of: WaitingCount): string =>
  of.waiting === 0
    ? "nothing waits"
    : `${of.waiting < 4 && !isAtLeast(of) ? `${few(of.waiting)} ${of.waiting === 1 ? "waits" : "wait"}` : waitingWords(of)}, none is lost`;
const upper = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** "next attempt in 8 s". */
export function nextPlaceTry(next: string | undefined, at: string): string {
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
export type PlaceClaim = TonedPlaceClaim<PlaceFacts>;

export const isPausedPlace = ({ paused }: PlaceRow): boolean => paused !== undefined;
export const isOutPlace = (row: PlaceRow): boolean => !isPausedPlace(row) && row.outage !== undefined;
/** Nothing is tried there now. */
export const isRestingPlace = (row: PlaceRow): boolean => isPausedPlace(row) || isOutPlace(row);
export const isFailingPlace = (row: PlaceRow): boolean => !isRestingPlace(row) && row.failing > 0;
/** The oldest of what waits there waits too long. */
export const isLatePlace = ({ oldestMs = 0 }: Pick<PlaceRow, "oldestMs">): boolean => oldestMs > LATE_MS;
const isCounted = ({ rolledUpMs }: PlaceFacts): boolean => rolledUpMs !== undefined && rolledUpMs <= COUNTED_MS;
const subject = (row: PlaceRow): string => `${SIDE_WORDS[row.side].place} ${cutName(row.label)}`;
const where = ({ side, label, failing }: PlaceRow): string =>
  failing > 0 ? "" : side === "outbox" ? ` in topic ${cutName(label)}` : ` by ${cutName(label)}`;

export const PLACE_PAUSED: PlaceClaim = tonedClaim(
  "paused",
  "doubt",
  ({ row }) => isPausedPlace(row),
  ({ row, at }) =>
    `${subject(row)} paused ${spokenDuration(Date.parse(at) - Date.parse(row.paused?.at ?? at))} ago: ${waitAndNoneLost(row)}.`,
);
export const PLACE_OUT: PlaceClaim = tonedClaim(
  "could not be sent",
  "broken",
  ({ row }) => isOutPlace(row),
  ({ row }) => {
    const long = row.oldestMs === undefined ? "" : `, the oldest for ${waitingAge(row, row.oldestMs)}`;
    return `${subject(row)}: at the last try ${outageText(row.outage ?? "")}. ${upper(waitAndNoneLost(row))}${long}.`;
  },
);
export const PLACE_FAILING: PlaceClaim = tonedClaim(
  "failing",
  "doubt",
  ({ row }) => isFailingPlace(row),
  ({ row, at }) =>
    `${subject(row)}: ${waitingCount({ waiting: row.failing })} failing, ${nextPlaceTry(row.nextFailingAt, at)}.`,
);

/** What was done there of late. */
const HOUR: readonly PlaceClaim[] = [
  tonedClaim(
    "none done in the hour",
    "fine",
    (facts) => isCounted(facts) && facts.row.hour.succeeded === 0,
    ({ row }) => `${SIDE_WORDS[row.side].count} none in the last hour.`,
  ),
  tonedClaim(
    "done in the hour",
    "fine",
    (facts) => isCounted(facts) && facts.row.hour.succeeded > 0,
    ({ row: { side, hour } }) => {
      const lag = hour.lagP95Ms === undefined ? "" : `, lag p95 up to ${formatDuration(hour.lagP95Ms)}`;
      return `${SIDE_WORDS[side].count} ${plural(hour.succeeded, "message")} in the last hour${lag}.`;
    },
  ),
  tonedClaim(
    "hour not counted",
    "fine",
    (facts) => !isCounted(facts),
    ({ row }) => `What was ${SIDE_WORDS[row.side].count.toLowerCase()} in the last hour is not counted yet.`,
  ),
];

/** Everything that the page of one topic or consumer may open with. */
export const PLACE_CLAIMS: readonly PlaceClaim[] = [
  PLACE_PAUSED,
  PLACE_OUT,
  PLACE_FAILING,
  tonedClaim(
    "nothing waits there",
    "fine",
    ({ row }) => !isRestingPlace(row) && row.waiting === 0,
    ({ row }) =>
      row.side === "outbox"
        ? `Nothing waits in topic ${cutName(row.label)}.`
        : `Nothing waits for ${cutName(row.label)}.`,
  ),
  tonedClaim(
    "waits there",
    "fine",
    ({ row }) => !isRestingPlace(row) && row.waiting > 0,
    ({ row }) => `${messagesWait(row.side, row)}${where(row)}${isLatePlace(row) ? "," : "."}`,
  ),
  tonedClaim(
    "waits there for long",
    "broken",
    ({ row }) => !isRestingPlace(row) && row.waiting > 0 && isLatePlace(row),
    ({ row }) => `the oldest for ${waitingAge(row, row.oldestMs ?? 0)}.`,
  ),
  tonedClaim(
    "dead there",
    "broken",
    ({ row }) => row.dead > 0,
    ({ row }) => messagesDead(row.dead),
  ),
  ...HOUR,
];

/** What a dialog about one topic says of it before a person decides. */
export const TOPIC_DIALOG_CLAIMS: readonly PlaceClaim[] = [
  tonedClaim(
    "nothing waits in it",
    "fine",
    ({ row }) => row.waiting === 0,
    () => "Nothing waits in it now.",
  ),
  tonedClaim(
    "waits in it",
    "fine",
    ({ row }) => row.waiting > 0,
    ({ row }) => `${messagesWait("outbox", row)} in it now.`,
  ),
  ...HOUR,
];

/** The sentence of one topic's or consumer's page. */
export function placeVerdict(facts: PlaceFacts): VerdictView {
  return verdictOf(tonedClauses(PLACE_CLAIMS, facts));
}
