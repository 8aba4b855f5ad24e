import type { ChecklistFacts } from "./checklist-facts";
import { constraints, document, once, unknownSettled } from "./checklist-contract";
import {
  cleanup,
  effectsLeave,
  hashed,
  keyRequired,
  observed,
  retried,
  sameAnswer,
  symmetric,
} from "./checklist-lines";
import type { ChecklistCheck, ChecklistRow } from "../views/checklist";
import type { VerdictClause } from "../views/common";
import { plural } from "../format/words";

interface Line {
  readonly id: string;
  readonly line: string;
  readonly judge: (facts: ChecklistFacts) => readonly ChecklistCheck[];
}

/** The review checklist: first what every API with retries needs, then what this product promises beyond it. */
const LINES: readonly Line[] = [
  {
    id: "key-required",
    line: "Idempotency-Key is required on every POST that changes something, refunds and voids included",
    judge: keyRequired,
  },
  {
    id: "payload-hash",
    line: "The command's hash is stored, and another command under the key is refused",
    judge: hashed,
  },
  { id: "same-answer", line: "A replay has the status and body of the first answer, and is marked", judge: sameAnswer },
  { id: "retries", line: "Clients retry only what a retry heals, and not before Retry-After", judge: retried },
  {
    id: "outbox-inbox",
    line: "Effects leave through the outbox, and consumers dedupe by event id",
    judge: effectsLeave,
  },
  { id: "observability", line: "Logs, metrics and traces name the key's operation and the attempt", judge: observed },
  { id: "cleanup", line: "Every key has a lifetime, and what is past it is cleaned up", judge: cleanup },
  { id: "symmetry", line: "Creating and reversing are both idempotent, in the same way", judge: symmetric },
  { id: "unique-keys", line: "Races are decided by unique constraints of the database", judge: constraints },
  { id: "one-effect", line: "A key has one execution and one ledger entry at the most", judge: once },
  { id: "unknown", line: "An unknown outcome is never taken for a failure, and somebody asks", judge: unknownSettled },
  { id: "document", line: "The API document declares the header, its window and its refusals", judge: document },
];

/** Judges each line by what was read; a line without anything to judge by cannot be told. */
export function judgeChecklist(facts: ChecklistFacts): readonly ChecklistRow[] {
  return LINES.map(({ id, line, judge }) => {
    const checks = judge(facts);
    return { id, line, verdict: worst(checks), checks };
  });
}

function worst(checks: readonly ChecklistCheck[]): ChecklistRow["verdict"] {
  const has = (verdict: ChecklistCheck["verdict"]): boolean => checks.some((check) => check.verdict === verdict);
  if (has("fails")) return "fails";
  return has("cannot_tell") || !has("holds") ? "cannot_tell" : "holds";
}

/** "10 of 12 lines are true. One is not: … One cannot be told." */
export function checklistVerdict(rows: readonly ChecklistRow[]): readonly VerdictClause[] {
  const count = (verdict: ChecklistRow["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const [holds, fails, open] = [count("holds"), count("fails"), count("cannot_tell")];
  return [
    { text: `${String(holds)} of ${plural(rows.length, "line")} are true.`, tone: "fine" },
    ...(fails === 0 ? [] : [{ text: `${one(fails)} not.`, tone: "broken" as const }]),
    ...(open === 0 ? [] : [{ text: `${one(open)} not to be told yet.`, tone: "doubt" as const }]),
  ];
}

function one(count: number): string {
  return count === 1 ? "1 is" : `${String(count)} are`;
}
