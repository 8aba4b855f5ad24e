import { holding, type PageClaim } from "@/domain/page-claim";
import { REQUEUE_VERDICTS, VERDICT_WORDS } from "@/domain/messages/requeue-verdict";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { DeadLetterGroup, DeadLettersView, VerdictCounts } from "../views/dead-letters";
import { outlookCountsText, outlookParts, type OutlookCounts } from "./outlook";

/** What both judgements of some dead letters count. */
interface Judged {
  readonly verdicts: VerdictCounts;
  readonly outlooks: OutlookCounts;
  /** How many were judged, of how many there are. */
  readonly judged: number;
  readonly count: number;
}

type Facts = Judged & { readonly open: number };

interface DeadLettersClaim<Of> extends PageClaim<Of> {
  readonly tone: NonNullable<VerdictClause["tone"]>;
}

const are = (count: number): string => (count === 1 ? "is" : "are");
const safeOf = ({ verdicts }: Judged): number => verdicts.safe ?? 0;
const othersOf = ({ verdicts }: Judged): number =>
  REQUEUE_VERDICTS.reduce((sum, verdict) => sum + (verdict === "safe" ? 0 : (verdicts[verdict] ?? 0)), 0);
const looked = ({ judged, count }: Judged): string => (judged < count ? `Of ${formatCount(judged)} looked at, ` : "");

/** Safe is one judgement, whether it gets through another: each is counted. */
const OUTLOOK: DeadLettersClaim<Judged> = {
  name: "outlook",
  tone: "fine",
  holds: ({ outlooks }) => outlookParts(outlooks).length > 0,
  words: ({ outlooks }) => `Outlook: ${outlookCountsText(outlooks)}.`,
};

export const DEAD_LETTERS_CLAIMS: readonly DeadLettersClaim<Facts>[] = [
  { name: "none", tone: "fine", holds: ({ open }) => open === 0, words: () => "No message is dead." },
  {
    name: "dead",
    tone: "broken",
    holds: ({ open }) => open > 0,
    words: ({ open }) => `${plural(open, "message")} ${are(open)} dead.`,
  },
  {
    name: "safe",
    tone: "fine",
    holds: (facts) => facts.open > 0 && safeOf(facts) > 0,
    words: (facts) => `${looked(facts)}${formatCount(safeOf(facts))} ${are(safeOf(facts))} safe to requeue now.`,
  },
  {
    ...OUTLOOK,
    tone: "doubt",
    holds: (facts) => OUTLOOK.holds(facts) && (facts.outlooks.dies ?? 0) > 0,
  },
  { ...OUTLOOK, holds: (facts) => OUTLOOK.holds(facts) && (facts.outlooks.dies ?? 0) === 0 },
  {
    name: "not safe",
    tone: "doubt",
    holds: (facts) => facts.open > 0 && othersOf(facts) > 0,
    // A requeue closes some of them, because a consumer has them.
    words: (facts) => `${formatCount(othersOf(facts))} would not be sent or handled again now.`,
  },
  {
    name: "kept",
    tone: "fine",
    holds: ({ open }) => open > 0,
    words: () => "Dead messages are kept until someone requeues them.",
  },
];

/** What the page opens with. */
export function deadLettersVerdict(view: DeadLettersView): readonly VerdictClause[] {
  const facts: Facts = { ...view, count: view.matching.count };
  return holding(DEAD_LETTERS_CLAIMS, facts).map(({ words, tone }) => ({ text: words(facts), tone }));
}

const GROUP_CLAIMS: readonly PageClaim<Judged>[] = [
  { name: "none open", holds: ({ count }) => count === 0, words: () => "None of them is open any more." },
  {
    name: "none safe",
    holds: (facts) => facts.count > 0 && safeOf(facts) === 0,
    words: (facts) => `None of ${lookedAt(facts)} is safe to requeue now.`,
  },
  {
    name: "all safe",
    holds: (facts) => facts.count > 0 && safeOf(facts) > 0 && safeOf(facts) === facts.judged,
    words: (facts) =>
      facts.judged === 1
        ? "It is safe to requeue now."
        : `${facts.judged < facts.count ? `All of ${lookedAt(facts)}` : `All ${lookedAt(facts)}`} are safe to requeue now.`,
  },
  {
    name: "some safe",
    holds: (facts) => safeOf(facts) > 0 && safeOf(facts) < facts.judged,
    words: (facts) => `${formatCount(safeOf(facts))} of ${lookedAt(facts)} ${are(safeOf(facts))} safe to requeue now.`,
  },
  {
    name: "others",
    holds: (facts) => facts.count > 0 && othersOf(facts) > 0,
    words: (facts) => `The others: ${othersText(facts.verdicts)}.`,
  },
  OUTLOOK,
];

const lookedAt = ({ judged, count }: Judged): string =>
  judged < count ? `the newest ${formatCount(judged)}` : formatCount(count);

function othersText(verdicts: VerdictCounts): string {
  return REQUEUE_VERDICTS.flatMap((verdict) => {
    const count = verdict === "safe" ? 0 : (verdicts[verdict] ?? 0);
    return count === 0 ? [] : [`${formatCount(count)} ${VERDICT_WORDS[verdict].toLowerCase()}`];
  }).join(", ");
}

/** What a requeue of the whole group would do now: may it, and would it get through. */
export function groupAdvice(group: DeadLetterGroup): string {
  return holding(GROUP_CLAIMS, group)
    .map(({ words }) => words(group))
    .join(" ");
}
