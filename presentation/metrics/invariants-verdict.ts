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
  /** Without an answer: never run, or stopped in the last run. */
  readonly never: number;
  readonly stopped: number;
}
interface RunClaim extends PageClaim<RunFacts> {
  readonly tone?: VerdictClause["tone"];
}

const any = ({ checkedAt }: RunFacts): boolean => checkedAt !== undefined;
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
    name: "some were stopped",
    tone: "doubt",
    holds: (facts) => any(facts) && facts.stopped > 0,
    words: ({ stopped }) => `${String(stopped)} could not be checked in time.`,
  },
  {
    name: "some were never run",
    tone: "doubt",
    holds: (facts) => any(facts) && facts.never > 0,
    words: ({ never }) => `${String(never)} not checked yet.`,
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
  rows: readonly Pick<InvariantRow, "checked" | "holds" | "ageMs">[],
  facts: InvariantsFacts,
): readonly VerdictClause[] {
  const held = rows.filter((row) => row.holds).length;
  const violated = rows.filter((row) => row.checked && !row.holds).length;
  const all = { ...facts, all: rows.length, held, violated, ...withoutAnswer(rows) };
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

type Checked = Pick<InvariantRow, "checked" | "ageMs">;

function withoutAnswer(rows: readonly Checked[]): UncheckedFacts {
  const open = rows.filter((row) => !row.checked);
  const never = open.filter(({ ageMs }) => ageMs === undefined).length;
  return { never, stopped: open.length - never };
}

/** @param rows of them, those without an answer are said. @returns undefined where each has one */
export function uncheckedWords(rows: readonly Checked[]): string | undefined {
  return claimWords(UNCHECKED_CLAIMS, withoutAnswer(rows))[0];
}
