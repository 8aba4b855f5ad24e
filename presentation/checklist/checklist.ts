import { holding, type PageClaim } from "@/domain/page-claim";
import type { ChecklistFacts } from "@/domain/checks/checklist-facts";
import { CHECKLIST, CHECKS } from "../checks/catalogue";
import type { Check } from "../checks/check";
import { lastRun } from "../checks/finding";
import { clause } from "../operation/verdict";
import type { ChecklistCheck, ChecklistRow } from "../views/checklist";
import type { VerdictClause } from "../views/common";
import { plural } from "../format/words";

/** Judges each line by what was read; a line that nothing decides is `cannot_tell`. */
export function judgeChecklist(facts: ChecklistFacts): readonly ChecklistRow[] {
  return CHECKLIST.map(({ id, line, checks: ids }) => {
    const checks = ids.flatMap((name) => {
      const check: Check = CHECKS[name];
      return check.service?.(facts) ?? lastRun(facts, name);
    });
    return { id, line, verdict: worst(checks), checks };
  });
}

function worst(checks: readonly ChecklistCheck[]): ChecklistRow["verdict"] {
  const has = (verdict: ChecklistCheck["verdict"]): boolean => checks.some((check) => check.verdict === verdict);
  if (has("fails")) return "fails";
  return has("cannot_tell") || !has("holds") ? "cannot_tell" : "holds";
}

interface Passed {
  readonly all: number;
  readonly holds: number;
  readonly fails: number;
  readonly open: number;
}
interface PassedClaim extends PageClaim<Passed> {
  readonly tone?: VerdictClause["tone"];
}

const PASSED_CLAIMS: readonly PassedClaim[] = [
  {
    name: "all pass",
    holds: ({ all, holds }) => holds === all,
    words: ({ all }) => `All ${plural(all, "check")} pass.`,
  },
  {
    name: "some pass",
    holds: ({ all, holds }) => holds < all,
    words: ({ all, holds }) => `${String(holds)} of ${plural(all, "check")} pass.`,
  },
  {
    name: "some fail",
    tone: "broken",
    holds: ({ fails }) => fails > 0,
    words: ({ fails }) => (fails === 1 ? "1 fails." : `${String(fails)} fail.`),
  },
  {
    name: "some are not known",
    tone: "doubt",
    holds: ({ open }) => open > 0,
    words: ({ open }) => (open === 1 ? "1 is not known yet." : `${String(open)} are not known yet.`),
  },
];

/** "10 of 12 checks pass. 1 fails. 1 is not known yet." */
export function checklistVerdict(rows: readonly ChecklistRow[]): readonly VerdictClause[] {
  const count = (verdict: ChecklistRow["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const passed = { all: rows.length, holds: count("holds"), fails: count("fails"), open: count("cannot_tell") };
  return holding(PASSED_CLAIMS, passed).map(({ words, tone }) => clause(words(passed), tone));
}
