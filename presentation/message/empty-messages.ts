import { firstWords, type PageClaim } from "@/domain/page-claim";
import type { InboxFilters, OutboxFilters } from "@/domain/lists/filters";
import { formatCount } from "../format/display-time";

/** The first page of the outbox, without rows. */
interface EmptyOutbox {
  readonly state: OutboxFilters["state"];
  /** By more than its state. */
  readonly filtered: boolean;
  /** Of all topics; 0 also where they could not be counted. */
  readonly dead: number;
}
const of = ({ state, filtered }: EmptyOutbox, one: OutboxFilters["state"]): boolean => !filtered && state === one;

/** What a tab of the outbox says that has none: only what its own rows can say. */
const OUTBOX_EMPTY: readonly PageClaim<EmptyOutbox>[] = [
  { name: "no match", holds: ({ filtered }) => filtered, words: () => "No message matches these filters." },
  { name: "none open", holds: (facts) => of(facts, "open"), words: () => "No message waits, and none is dead." },
  {
    name: "none waits, some dead",
    holds: (facts) => of(facts, "pending") && facts.dead > 0,
    words: ({ dead }) => `No message waits; ${formatCount(dead)} ${dead === 1 ? "is" : "are"} dead.`,
  },
  { name: "none waits", holds: (facts) => of(facts, "pending"), words: () => "No message waits." },
  { name: "none failing", holds: (facts) => of(facts, "failing"), words: () => "No message is failing." },
  { name: "none dead", holds: (facts) => of(facts, "dead"), words: () => "No message is dead." },
  { name: "none discarded", holds: (facts) => of(facts, "discarded"), words: () => "No message was discarded." },
  {
    name: "none kept",
    holds: (facts) => of(facts, "published"),
    words: () => "No message that was published in this time is kept.",
  },
];

export function emptyOutbox(facts: EmptyOutbox): string {
  return firstWords(OUTBOX_EMPTY, facts);
}

/** The first page of the inbox, without rows. */
interface EmptyInbox {
  /** By anything but a time. */
  readonly narrowed: boolean;
  /** Only what waits is asked for: it is listed whatever its age. */
  readonly waiting: boolean;
  readonly range: InboxFilters["range"];
  /** A time of one's own instead of the range. */
  readonly ownTime: boolean;
}

const INBOX_EMPTY: readonly PageClaim<EmptyInbox>[] = [
  { name: "no match", holds: ({ narrowed }) => narrowed, words: () => "No message matches." },
  { name: "none kept", holds: () => true, words: () => "No arrival of this time is kept." },
];

/** Where it looked: goes on after "Checked 4 s ago". */
const INBOX_LOOKED: readonly PageClaim<EmptyInbox>[] = [
  { name: "own time", holds: ({ ownTime }) => ownTime, words: () => ", the time that was chosen" },
  { name: "what waits", holds: ({ waiting }) => waiting, words: () => ", all that waits" },
  { name: "all", holds: ({ range }) => range === "all", words: () => ", all that is kept" },
  { name: "range", holds: () => true, words: ({ range }) => `, the last ${range}` },
];

export function emptyInbox(facts: EmptyInbox): { readonly title: string; readonly looked: string } {
  return { title: firstWords(INBOX_EMPTY, facts), looked: firstWords(INBOX_LOOKED, facts) };
}
