import { holding } from "@/domain/page-claim";
import type { VerdictClause, VerdictView } from "../views/common";
import type { OperationRecord } from "../views/operations";
import { OPERATION_CLAIMS } from "./operation-claims";
import { operationCase } from "./operation-case";

export const clause = (text: string, tone: VerdictClause["tone"] = "fine"): VerdictClause => ({ text, tone });

/** Joins clauses into a verdict whose text is the page's title. */
export function verdictOf(clauses: readonly VerdictClause[]): VerdictView {
  return { clauses, text: clauses.map((part) => part.text).join(" ") };
}

/** Every claim that holds, in the fixed order: the effect, the provider, the answers, the messages, the ledger. */
export function operationVerdict(record: OperationRecord): VerdictView {
  const it = operationCase(record);
  return verdictOf(holding(OPERATION_CLAIMS, it).map((claim) => clause(claim.words(it), claim.tone?.(it))));
}
