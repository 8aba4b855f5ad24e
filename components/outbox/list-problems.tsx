import { Note } from "@/components/ui/row";
import type { FilterProblem } from "@/presentation/filters/search";

/** Filters of the address that could not be understood: said, not guessed at. */
export function ListProblems({ problems }: { readonly problems: readonly FilterProblem[] }) {
  if (problems.length === 0) return null;
  return <Note>Left out: {problems.map((problem) => `${problem.name} ${problem.detail}`).join("; ")}.</Note>;
}
