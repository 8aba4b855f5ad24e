import type { VerdictView } from "@/presentation/views/common";
import type { VerdictClause } from "./verdict";

/** What is fine carries no tone when it is drawn. */
export function toVerdictClauses(
  verdict: Pick<VerdictView, "clauses"> & Partial<VerdictView>,
): readonly VerdictClause[] {
  return verdict.clauses.map(({ text, tone }) => (tone === "fine" ? { text } : { text, tone }));
}
