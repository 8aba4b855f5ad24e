import { claimWords, holding, type PageClaim } from "@/domain/page-claim";
import { OLD_CHECK_MS } from "../checks/finding";
import { formatAge, formatCount } from "../format/display-time";
import { clause } from "../operation/verdict";
import type { VerdictClause } from "../views/common";
import { plural } from "../format/words";
import type { InvariantRow } from "@/domain/checks/rows";

export interface InvariantsFacts {
  /** Database time of the page, RFC 3339. */
  readonly at: string;
  /** When the oldest of the last runs was; undefined: never. */
  readonly checkedAt: string | undefined;
  readonly worker: boolean;
}

/** What the last runs of all invariants say together. */
interface RunFacts extends InvariantsFacts {
  readonly all: number;
  readonly held: number;
  readonly violated: number;
}
interface RunClaim extends PageClaim<RunFacts> {
  readonly tone?: VerdictClause["tone"];
}

const any = ({ checkedAt }: RunFacts): boolean => checkedAt !== undefined;
const unchecked = ({ all, held, violated }: RunFacts): number => all - held - violated;
const age = ({ at, checkedAt = at }: RunFacts): number => Date.parse(at) - Date.parse(checkedAt);

const RUN_CLAIMS: readonly RunClaim[] = [
  {
    name: "nothing checked",
    tone: "doubt",
    holds: (facts) => !any(facts),
    words: () => "Nothing was checked yet.",
  },
  {
    name: "no worker checks",
    tone: "doubt",
    holds: (facts) => !any(facts) && !facts.worker,
    words: () => "No worker runs the checks.",
  },
  {
    name: "some are violated",
    tone: "broken",
    holds: (facts) => any(facts) && facts.violated > 0,
    words: ({ violated, all }) =>
      `${String(violated)} of ${plural(all, "invariant")} ${violated === 1 ? "is" : "are"} violated.`,
  },
  {
    name: "all hold",
    holds: (facts) => any(facts) && facts.held === facts.all,
    words: ({ all }) => `All ${plural(all, "invariant")} hold.`,
  },
  {
    name: "some hold",
    holds: (facts) => any(facts) && facts.held < facts.all,
    words: ({ held }) => `${String(held)} hold.`,
  },
  {
    name: "some were not checked",
    tone: "doubt",
    holds: (facts) => any(facts) && unchecked(facts) > 0,
    words: (facts) => `${String(unchecked(facts))} could not be checked in time.`,
  },
  {
    name: "checked long ago",
    tone: "doubt",
    holds: (facts) => any(facts) && age(facts) > OLD_CHECK_MS,
    words: (facts) =>
      `The last check is ${formatAge(age(facts))} old${facts.worker ? "" : ", and no worker runs the checks"}.`,
  },
];

/** "1 of 17 invariants is violated. 16 hold." */
export function invariantsVerdict(
  rows: readonly Pick<InvariantRow, "checked" | "holds">[],
  facts: InvariantsFacts,
): readonly VerdictClause[] {
  const held = rows.filter((row) => row.holds).length;
  const violated = rows.filter((row) => row.checked && !row.holds).length;
  const all = { ...facts, all: rows.length, held, violated };
  return holding(RUN_CLAIMS, all).map(({ words, tone }) => clause(words(all), tone));
}

/** Invariants without an answer: those that were never run, and those whose last run was stopped. */
interface UncheckedFacts {
  readonly never: number;
  readonly stopped: number;
}
const UNCHECKED_CLAIMS: readonly PageClaim<UncheckedFacts>[] = [
  {
    name: "stopped",
    holds: ({ never, stopped }) => never === 0 && stopped > 0,
    words: () => "Not checked: the check took too long and was stopped.",
  },
  { name: "never", holds: ({ never, stopped }) => never > 0 && stopped === 0, words: () => "Not checked yet." },
  {
    name: "either",
    holds: ({ never, stopped }) => never > 0 && stopped > 0,
    words: ({ never, stopped }) =>
      `${formatCount(never)} not checked yet, ${formatCount(stopped)} stopped: the check took too long.`,
  },
];

/** @param rows of them, those without an answer are said. @returns undefined where each has one */
export function uncheckedWords(rows: readonly Pick<InvariantRow, "checked" | "ageMs">[]): string | undefined {
  const open = rows.filter((row) => !row.checked);
  const never = open.filter(({ ageMs }) => ageMs === undefined).length;
  return claimWords(UNCHECKED_CLAIMS, { never, stopped: open.length - never })[0];
}
