import type { VerdictView } from "@/presentation/views/common";
import type { ClauseProps } from "./verdict";

/** What is fine carries no tone when it is drawn. */
export function toVerdictClauses(verdict: Pick<VerdictView, "clauses"> & Partial<VerdictView>): readonly ClauseProps[] {
  return verdict.clauses.map(({ text, tone }) => (tone === "fine" ? { text } : { text, tone }));
}
