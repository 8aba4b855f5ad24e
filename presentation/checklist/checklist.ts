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
      return check.service?.(facts) ?? [lastRun(facts, name)];
    });
    return { id, line, verdict: worst(checks), checks };
  });
}

function worst(checks: readonly ChecklistCheck[]): ChecklistRow["verdict"] {
  const has = (verdict: ChecklistCheck["verdict"]): boolean => checks.some((check) => check.verdict === verdict);
  if (has("fails")) return "fails";
  return has("cannot_tell") || !has("holds") ? "cannot_tell" : "holds";
}

/** "10 of 12 checks pass. 1 fails. 1 is not known yet." */
export function checklistVerdict(rows: readonly ChecklistRow[]): readonly VerdictClause[] {
  const count = (verdict: ChecklistRow["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const [holds, fails, open] = [count("holds"), count("fails"), count("cannot_tell")];
  return [
    clause(`${holds === rows.length ? "All " : `${String(holds)} of `}${plural(rows.length, "check")} pass.`),
    ...(fails === 0 ? [] : [clause(`${fails === 1 ? "1 fails" : `${String(fails)} fail`}.`, "broken")]),
    ...(open === 0 ? [] : [clause(`${one(open)} not known yet.`, "doubt")]),
  ];
}

function one(count: number): string {
  return count === 1 ? "1 is" : `${String(count)} are`;
}
