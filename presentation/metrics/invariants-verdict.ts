import { formatAge } from "../format/display-time";
import { clause } from "../operation/verdict";
import type { VerdictClause } from "../views/common";
import { plural } from "../format/words";
import type { InvariantRow } from "@/domain/checks/rows";

/** The worker checks once a minute; an older result is doubtful. */
const OLD_MS = 5 * 60_000;

export interface InvariantsFacts {
  /** Database time of the page, RFC 3339. */
  readonly at: string;
  /** When the oldest of the last runs was; undefined: never. */
  readonly checkedAt: string | undefined;
  readonly worker: boolean;
}

/** "1 of 17 invariants is violated. 16 hold." */
export function invariantsVerdict(
  rows: readonly Pick<InvariantRow, "checked" | "holds">[],
  { at, checkedAt, worker }: InvariantsFacts,
): readonly VerdictClause[] {
  if (checkedAt === undefined)
    return (worker ? ["Nothing was checked yet."] : ["Nothing was checked yet.", "No worker runs the checks."]).map(
      (text) => clause(text, "doubt"),
    );
  const holding = rows.filter((row) => row.holds).length;
  const violated = rows.filter((row) => row.checked && !row.holds).length;
  const open = rows.length - holding - violated;
  const age = Date.parse(at) - Date.parse(checkedAt);
  const all = plural(rows.length, "invariant");
  const clauses: VerdictClause[] = [];
  if (violated > 0)
    clauses.push(clause(`${String(violated)} of ${all} ${violated === 1 ? "is" : "are"} violated.`, "broken"));
  clauses.push(clause(violated + open === 0 ? `All ${all} hold.` : `${String(holding)} hold.`));
  if (open > 0) clauses.push(clause(`${String(open)} could not be checked in time.`, "doubt"));
  if (age > OLD_MS)
    clauses.push(
      clause(`The last check is ${formatAge(age)} old${worker ? "" : ", and no worker runs the checks"}.`, "doubt"),
    );
  return clauses;
}
