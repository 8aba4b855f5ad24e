import type { DoubtTotal } from "../views/operations";
import type { VerdictClause, VerdictView } from "../views/common";
import { clause, verdictOf } from "../operation/verdict";
import { cutName } from "../format/cut-middle";
import { isAtLeast, type WaitingCount, waitingAge, waitingMessages } from "../format/waiting-count";
import { plural, spokenDuration } from "../format/words";
import { holding, type PageClaim } from "@/domain/page-claim";
import type { MessageSide } from "@/domain/messages/side";
import { SIDE_WORDS } from "../message/sides";

/** After this a message that waits is late, in milliseconds. */
export const LATE_MS = 60_000;

export interface DoubtFacts {
  readonly unknown: number;
  readonly stale: number;
  readonly totals: readonly DoubtTotal[];
  readonly oldestMs?: number | undefined;
}

/** "46 operations may have moved money. €43,818.11 is in doubt, the oldest for 41 minutes." */
export function doubtVerdict(facts: DoubtFacts): VerdictView {
  return verdictOf(holding(DOUBT_CLAIMS, facts).map(({ words, tone }) => clause(words(facts), tone)));
}

const are = (count: number): string => (count === 1 ? "is" : "are");

interface DoubtClaim extends PageClaim<DoubtFacts> {
  readonly tone?: VerdictClause["tone"];
}

const sumsOf = ({ totals }: DoubtFacts): readonly string[] => totals.map(({ money }) => money.display);

/** Clauses of one sentence, in their order. */
const DOUBT_CLAIMS: readonly DoubtClaim[] = [
  {
    name: "nothing unknown",
    holds: ({ unknown, stale }) => unknown === 0 && stale === 0,
    words: () => "Nothing is unknown and no lease is stale.",
  },
  {
    name: "operations in doubt",
    holds: ({ unknown }) => unknown > 0,
    words: ({ unknown }) => `${plural(unknown, "operation")} may have moved money.`,
  },
  {
    name: "money in doubt",
    tone: "doubt",
    holds: (facts) => facts.unknown > 0 && sumsOf(facts).length > 0,
    words: (facts) => `${joined(sumsOf(facts))} ${sumsOf(facts).length > 1 ? "are" : "is"} in doubt,`,
  },
  {
    name: "outcome in doubt",
    tone: "doubt",
    holds: (facts) => facts.unknown > 0 && sumsOf(facts).length === 0,
    words: () => "The outcome is in doubt,",
  },
  {
    name: "the oldest doubt",
    holds: ({ unknown }) => unknown > 0,
    words: ({ oldestMs = 0 }) => `the oldest for ${spokenDuration(oldestMs)}.`,
  },
  {
    name: "stale leases",
    tone: "doubt",
    holds: ({ stale }) => stale > 0,
    words: ({ stale }) => `${plural(stale, "lease")} ${are(stale)} stale.`,
  },
];

/** A topic or consumer where a message waits longer than it should. */
export interface LatePlace {
  readonly side: MessageSide;
  readonly place: string;
  /** For people: "webhook to shop.example/hooks". */
  readonly label: string;
  /** All that wait there, as far as they are counted. */
  readonly waiting: number;
  /** Of a consumer: at least so many. */
  readonly sampled?: boolean | undefined;
  readonly oldestMs: number;
  readonly paused: boolean;
  /** It is a merchant's endpoint, and that is disabled. */
  readonly disabled: boolean;
}

export interface OverviewFacts extends DoubtFacts {
  /** Dead messages of either side that nobody has settled. */
  readonly dead: number;
  /** The oldest first, at most LATE_PLACES of each side. */
  readonly late: readonly LatePlace[];
  /** How many places there are with one. */
  readonly latePlaces: number;
  /** What the ledger's consumer needs and does not have. */
  readonly ledger: WaitingCount & {
    readonly oldestMs?: number | undefined;
    readonly dead: number;
    /** Counting stopped there. */
    readonly moreDead?: boolean | undefined;
  };
  /** Loops of which no process beats any more. */
  readonly stopped: readonly string[];
  readonly noWorker?: boolean | undefined;
  readonly violated: number;
}

interface OverviewClaim extends PageClaim<OverviewFacts> {
  readonly tone: NonNullable<VerdictClause["tone"]>;
}

/** Late places that are named, each in a sentence of its own; more are counted together. */
const NAMED = 2;
/** Places of each side that are read. */
export const LATE_PLACES = 20;
const all = (facts: OverviewFacts): boolean => facts.latePlaces <= NAMED;

/** "Topic payments", "Webhook to shop.example/hooks", "Consumer ledger". */
function lateName({ side, label, place }: LatePlace): string {
  return label === place
    ? `${SIDE_WORDS[side].place} ${cutName(label)}`
    : cutName(label).replace(/^./, (first) => first.toUpperCase());
}

/** "12 messages wait, the oldest is 7 minutes old." @param what "12 messages" */
function waitText(of: WaitingCount, what: string, oldestMs: number): string {
  const one = of.waiting === 1 && !isAtLeast(of);
  return `${what} ${one ? "waits," : "wait, the oldest is"} ${waitingAge(of, oldestMs)} old.`;
}

function lateText(row: LatePlace): string {
  const why = row.paused ? " is paused" : row.disabled ? " is disabled" : "";
  return `${lateName(row)}${why}: ${waitText(row, waitingMessages(row), row.oldestMs)}`;
}

/** The late place of a rank, while each is named. */
const latePlace = (rank: number): OverviewClaim => ({
  name: `late place ${String(rank + 1)}`,
  tone: "broken",
  holds: (facts) => all(facts) && facts.late[rank] !== undefined,
  words: ({ late }) => (late[rank] === undefined ? "" : lateText(late[rank])),
});

/** What is wrong besides doubt, in the order in which it is said. */
export const OVERVIEW_CLAIMS: readonly OverviewClaim[] = [
  {
    name: "broken invariants",
    tone: "broken",
    holds: ({ violated }) => violated > 0,
    words: ({ violated }) => `${plural(violated, "invariant")} ${are(violated)} broken.`,
  },
  latePlace(0),
  latePlace(1),
  {
    name: "late places",
    tone: "broken",
    holds: (facts) => !all(facts),
    words: ({ late: [oldest], latePlaces }) =>
      `Messages wait too long in ${plural(latePlaces, "topic or consumer", "topics and consumers")}` +
      (oldest === undefined
        ? "."
        : `, longest in ${cutName(oldest.label)}: the oldest is ${waitingAge(oldest, oldest.oldestMs)} old.`),
  },
  {
    name: "dead messages",
    tone: "broken",
    holds: ({ dead }) => dead > 0,
    words: ({ dead }) => `${plural(dead, "message")} ${are(dead)} dead.`,
  },
  {
    name: "no worker",
    tone: "broken",
    holds: ({ noWorker }) => noWorker === true,
    words: () => "No worker runs.",
  },
  {
    name: "a stopped loop",
    tone: "broken",
    holds: ({ stopped }) => stopped.length === 1,
    words: ({ stopped: [loop = ""] }) => `The loop ${loop} has stopped.`,
  },
  {
    name: "stopped loops",
    tone: "broken",
    holds: ({ stopped }) => stopped.length > 1,
    words: ({ stopped }) => `${String(stopped.length)} loops have stopped.`,
  },
];

/** What follows from it, one sentence each: claim, colon, consequence. */
export const OVERVIEW_NOTES: readonly PageClaim<OverviewFacts>[] = [
  {
    name: "the ledger is behind",
    holds: ({ ledger }) => (ledger.oldestMs ?? 0) > LATE_MS,
    words: ({ ledger }) =>
      `The ledger is behind: ${waitText(ledger, `${waitingMessages(ledger, "event")} for it`, ledger.oldestMs ?? 0)}`,
  },
  {
    name: "dead messages for the ledger",
    holds: ({ ledger }) => ledger.dead > 0,
    words: ({ ledger: { dead, moreDead } }) =>
      `The ledger lacks ${waitingMessages({ waiting: dead, sampled: moreDead }, "event")}: ${dead === 1 ? "it is" : "they are"} dead until a requeue.`,
  },
  {
    name: "dead messages are kept",
    holds: ({ dead }) => dead > 0,
    words: () => "Dead messages are kept until someone requeues them.",
  },
  {
    name: "no work is lost",
    holds: ({ stopped }) => stopped.length > 0,
    words: () => "No work is lost: it waits until a worker beats again.",
  },
];

/** The doubt first, then whatever else is wrong: "Nothing is unknown and no lease is stale. 6 messages are dead." */
export function overviewVerdict(facts: OverviewFacts): VerdictView {
  const wrong = holding(OVERVIEW_CLAIMS, facts);
  return verdictOf([...doubtVerdict(facts).clauses, ...wrong.map(({ words, tone }) => clause(words(facts), tone))]);
}

export function overviewNotes(facts: OverviewFacts): readonly string[] {
  return holding(OVERVIEW_NOTES, facts).map(({ words }) => words(facts));
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}
