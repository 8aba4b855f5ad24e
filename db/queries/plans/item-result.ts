import { SETTLED_DECLINED, SETTLED_SUCCEEDED, STILL_UNKNOWN, type PlanResult } from "@/domain/plan-results";

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** What became of a row `i` of a plan: the one place that reads it from its state and outcome. */
export const ITEM_RESULT = `case
    when i.state = 'done' and i.outcome = ${text(SETTLED_SUCCEEDED)} then 'succeeded'
    when i.state = 'done' and i.outcome = ${text(SETTLED_DECLINED)} then 'declined'
    when i.state = 'skipped' and i.outcome is not distinct from i.verdict_reason then 'left'
    when i.state = 'skipped' and starts_with(coalesce(i.outcome, ''), ${text(STILL_UNKNOWN)}) then 'unknown'
    when i.state = 'skipped' then 'moved'
    else i.state end`;

export interface ItemResultRow {
  readonly result: PlanResult;
}
