import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import { formatBytes } from "../format/format-bytes";
import { plural } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { RetentionPreview } from "../views/retention";

/** What was counted of what has expired; `losingReplay`: keys in their window whose retries get the stored answer now. */
export type PurgeFacts = Pick<
  RetentionPreview,
  "operations" | "bodyRows" | "bytes" | "losingReplay" | "skippedOpen" | "mayRunAgain" | "atLeast" | "tooBroad"
>;
type PurgeClaim = PageClaim<PurgeFacts>;
interface Toned extends PurgeClaim {
  readonly tone: VerdictClause["tone"];
}

/** "4", and "4+" where the count was stopped. */
export function least({ atLeast }: PurgeFacts, count: number): string {
  return atLeast ? `${formatCount(count)}+` : formatCount(count);
}

/** "1 body", "4 bodies", "10,000+ bodies". */
function counted({ atLeast }: PurgeFacts, count: number, one: string, many = `${one}s`): string {
  return atLeast ? `${formatCount(count)}+ ${many}` : plural(count, one, many);
}

const bodies = (facts: PurgeFacts): string => counted(facts, facts.bodyRows, "body", "bodies");
const keys = (facts: PurgeFacts): string => counted(facts, facts.losingReplay, "key");
const isOne = ({ bodyRows, atLeast }: PurgeFacts): boolean => bodyRows === 1 && !atLeast;
/** A count that was stopped says nothing about what it did not look at. */
const none = (facts: PurgeFacts, count: number): boolean => count === 0 && !facts.atLeast && !facts.tooBroad;
const some = (facts: PurgeFacts): boolean => !facts.tooBroad && (facts.bodyRows > 0 || facts.atLeast);
const left = ({ skippedOpen, mayRunAgain }: PurgeFacts): number => skippedOpen + mayRunAgain;
const freed = ({ bytes, atLeast }: PurgeFacts): string => `${formatBytes(bytes)}${atLeast ? " or more" : ""}`;
const NOTHING = "Nothing can be purged.";
const NO_LOSS = "No byte-equal replay is lost.";

/** What the page opens with. */
const HEAD_CLAIMS: readonly Toned[] = [
  {
    name: "not counted",
    tone: "doubt",
    holds: ({ tooBroad }) => tooBroad,
    words: () => "What has expired could not be counted in time.",
  },
  {
    name: "nothing to purge",
    tone: "fine",
    holds: (facts) => none(facts, facts.bodyRows),
    words: () => NOTHING,
  },
  {
    name: "can be purged",
    tone: "fine",
    holds: some,
    words: (facts) => `${bodies(facts)} can be purged, ${freed(facts)}.`,
  },
  {
    name: "no replay is lost",
    tone: "fine",
    holds: (facts) => some(facts) && none(facts, facts.losingReplay),
    words: () => NO_LOSS,
  },
  {
    name: "replay is lost",
    tone: "doubt",
    holds: (facts) => some(facts) && facts.losingReplay > 0,
    words: (facts) => `${counted(facts, facts.losingReplay, "key loses", "keys lose")} byte-equal replay.`,
  },
  {
    name: "skipped",
    tone: "doubt",
    holds: ({ tooBroad, skippedOpen }) => !tooBroad && skippedOpen > 0,
    words: (facts) => `${least(facts, facts.skippedOpen)} skipped, still open.`,
  },
  {
    name: "skipped, may run again",
    tone: "doubt",
    holds: ({ tooBroad, mayRunAgain }) => !tooBroad && mayRunAgain > 0,
    words: (facts) => `${least(facts, facts.mayRunAgain)} skipped, may run again.`,
  },
];

/** What stands over the button. */
const LEAN_CLAIMS: readonly PurgeClaim[] = [
  {
    name: "not counted",
    holds: ({ tooBroad }) => tooBroad,
    words: () => "Not counted: the purge works in batches and says what it did.",
  },
  {
    name: "nothing to purge",
    holds: (facts) => none(facts, facts.bodyRows),
    words: () => NOTHING,
  },
  {
    name: "frees",
    holds: some,
    words: (facts) => `Frees ${freed(facts)}.`,
  },
  {
    name: "no stored bytes",
    holds: (facts) => some(facts) && facts.losingReplay > 0,
    words: (facts) => `${keys(facts)} would answer without the stored bytes.`,
  },
  {
    name: "no replay is lost",
    holds: (facts) => some(facts) && none(facts, facts.losingReplay),
    words: () => NO_LOSS,
  },
];

/** What the dialog says happens. */
const EFFECT_CLAIMS: readonly PurgeClaim[] = [
  {
    name: "not counted",
    holds: ({ tooBroad }) => tooBroad,
    words: () => "Expired command and answer bodies are removed for good, in batches.",
  },
  {
    name: "removed",
    holds: ({ tooBroad }) => !tooBroad,
    words: (facts) =>
      `${bodies(facts)} of ${counted(facts, facts.operations, "operation")}, ${freed(facts)}, ${isOne(facts) ? "is" : "are"} removed for good, in batches.`,
  },
];

const REPLAY_CLAIMS: readonly PurgeClaim[] = [
  {
    name: "no replay is lost",
    holds: (facts) => none(facts, facts.losingReplay),
    words: () => NO_LOSS,
  },
  {
    name: "replay is lost",
    holds: ({ losingReplay }) => losingReplay > 0,
    words: (facts) => `Byte-equal replay is lost for ${keys(facts)}.`,
  },
  {
    name: "not all were looked at",
    holds: (facts) => facts.losingReplay === 0 && !none(facts, 0),
    words: () => "Not all of their keys were looked at: some may lose byte-equal replay.",
  },
];

/** "1, because it is", "3, because they are". */
function because(facts: PurgeFacts, count: number, one: string, many: string): string {
  return `${least(facts, count)}, because ${count === 1 && !facts.atLeast ? one : many}`;
}

const SKIPPED_CLAIMS: readonly PurgeClaim[] = [
  { name: "none", holds: (facts) => none(facts, left(facts)), words: () => "None." },
  {
    name: "open",
    holds: ({ skippedOpen }) => skippedOpen > 0,
    words: (facts) => `${because(facts, facts.skippedOpen, "it is", "they are")} in progress or unknown.`,
  },
  {
    name: "may run again",
    holds: ({ mayRunAgain }) => mayRunAgain > 0,
    words: (facts) => `${because(facts, facts.mayRunAgain, "its key", "their keys")} may run again.`,
  },
  {
    name: "not all were looked at",
    holds: (facts) => left(facts) === 0 && !none(facts, 0),
    words: () => "What is in progress, unknown or may run again.",
  },
];

/** Why the button is off. */
const WHY_NOT_CLAIMS: readonly PurgeClaim[] = [
  {
    name: "nothing to purge",
    holds: (facts) => none(facts, facts.operations),
    words: () => NOTHING,
  },
];

export function purgeClauses(facts: PurgeFacts): readonly VerdictClause[] {
  return holding(HEAD_CLAIMS, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));
}

export function purgeLean(facts: PurgeFacts): string {
  return claimWords(LEAN_CLAIMS, facts).join(" ");
}

/** What the dialog says: what goes, what becomes of retries, and what stays. */
export function purgeWords(facts: PurgeFacts) {
  return {
    many: bodies(facts),
    whose: isOne(facts) ? "its" : "their",
    effect: firstWords(EFFECT_CLAIMS, facts),
    replay: firstWords(REPLAY_CLAIMS, facts),
    skipped: claimWords(SKIPPED_CLAIMS, facts).join(" "),
  };
}

/** @returns why a purge is not offered; undefined where it is, also where not all was counted */
export function purgeWhyNot(facts: PurgeFacts): string | undefined {
  return claimWords(WHY_NOT_CLAIMS, facts)[0];
}
