import type { PageClaim } from "@/domain/page-claim";
import type { ProofArrival, ProofFacts } from "@/domain/checks/proof-facts";
import { plural } from "../format/words";
import type { ProofRow } from "./proof-statement";

/** What a proof says of the traces that an effect leaves, where it is filled with what was found. */

type OutboxRow = ProofFacts["outbox"]["rows"][number];

/** Of the rows that differ from the first command. */
export const DIFFERENCE_CLAIMS: readonly PageClaim<readonly ProofRow[]>[] = [
  {
    name: "rows differ",
    holds: (rows) => rows.length > 0,
    words: ({ length }) => `${String(length)} ${length === 1 ? "row differs" : "rows differ"} from the first command.`,
  },
];

interface EventsFound {
  readonly rows: readonly OutboxRow[];
  readonly expected: string;
}
const stray = ({ rows, expected }: EventsFound): OutboxRow | undefined => rows.find(({ type }) => type !== expected);

/** Of the events beside an effect. */
export const EVENT_CLAIMS: readonly PageClaim<EventsFound>[] = [
  {
    name: "another event",
    holds: (found) => stray(found) !== undefined,
    words: (found) => `The event is ${stray(found)?.type ?? "another"} where ${found.expected} belongs.`,
  },
];

const dead = <Row extends { readonly state: string }>(rows: readonly Row[]): Row | undefined =>
  rows.find(({ state }) => state === "dead");

/** What a delivery waits for: the first that holds. */
export const DELIVERY_CLAIMS: readonly PageClaim<readonly OutboxRow[]>[] = [
  {
    name: "dead",
    holds: (rows) => dead(rows) !== undefined,
    words: (rows) =>
      `The delivery of the event is dead after ${plural(dead(rows)?.attempts ?? 0, "attempt")}: a person has to requeue it.`,
  },
  { name: "pending", holds: () => true, words: () => "The event waits for its delivery." },
];

/** Pairs of an event and a consumer that has it. */
export function consumersOf(rows: readonly ProofArrival[]): number {
  return new Set(rows.map((row) => `${row.consumer} ${row.messageId}`)).size;
}

const named = (rows: readonly ProofArrival[]): number => new Set(rows.map(({ consumer }) => consumer)).size;
const several = (rows: readonly ProofArrival[]): boolean => new Set(rows.map(({ messageId }) => messageId)).size > 1;

/** What has to be so of the consumers of an event: the first that holds. */
export const HANDLED_CLAIMS: readonly PageClaim<readonly ProofArrival[]>[] = [
  { name: "no consumer", holds: (rows) => rows.length === 0, words: () => "A consumer handled it once." },
  { name: "several events", holds: several, words: () => "Each consumer handled each of them once." },
  {
    name: "one consumer",
    holds: (rows) => named(rows) === 1,
    words: ([row]) => `The consumer ${row?.consumer ?? ""} handled it once.`,
  },
  {
    name: "each consumer",
    holds: () => true,
    words: (rows) => `Each of ${String(named(rows))} consumers handled it once.`,
  },
];

const discarded = (rows: readonly ProofArrival[]): ProofArrival | undefined =>
  rows.find(({ state }) => state === "discarded");

/** Why an event is not handled and will not be. */
export const UNHANDLED_CLAIMS: readonly PageClaim<readonly ProofArrival[]>[] = [
  {
    name: "no consumer",
    holds: (rows) => rows.length === 0,
    words: () => "It was delivered and no consumer has it.",
  },
  {
    name: "discarded",
    holds: (rows) => discarded(rows) !== undefined,
    words: (rows) =>
      `A person discarded the event in the inbox of ${discarded(rows)?.consumer ?? "a consumer"}: it is no longer handled.`,
  },
];

/** What an event waits for that is not handled yet: the first that holds. */
export const HANDLING_CLAIMS: readonly PageClaim<readonly ProofArrival[]>[] = [
  {
    name: "dead",
    holds: (rows) => dead(rows) !== undefined,
    words: (rows) =>
      `The event is dead in the inbox of ${dead(rows)?.consumer ?? "a consumer"} after ${plural(dead(rows)?.attempts ?? 0, "attempt")}: a person has to requeue it.`,
  },
  { name: "waits", holds: () => true, words: () => "A consumer has not handled the event yet." },
];

const again = (rows: readonly ProofArrival[]): number => rows.reduce((sum, row) => sum + row.duplicates, 0);
const forged = (rows: readonly ProofArrival[]): number => rows.reduce((sum, row) => sum + row.mismatches, 0);

/** What else arrived under the event's id. */
export const ARRIVAL_NOTES: readonly PageClaim<readonly ProofArrival[]>[] = [
  {
    name: "arrived again",
    holds: (rows) => again(rows) > 0,
    words: (rows) => `It arrived ${String(again(rows))} more ${again(rows) === 1 ? "time" : "times"} and did nothing.`,
  },
  {
    name: "other bytes",
    holds: (rows) => forged(rows) > 0,
    words: (rows) => `${String(forged(rows))} arrivals under its id had other bytes and were flagged.`,
  },
];
