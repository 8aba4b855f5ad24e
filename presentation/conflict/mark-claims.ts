import { firstWords, type PageClaim } from "@/domain/page-claim";
import type { ConflictDetail } from "../views/conflicts";

/** Whose fault conflicts were found to be. */
export const MARK_WORDS = { client_fault: "client fault", ours: "ours" } as const;

type Mark = Pick<NonNullable<ConflictDetail["mark"]>, "mark" | "by"> | undefined;

/** What the dialog knows of a mark that there is. */
const MARK_CLAIMS: readonly PageClaim<Mark>[] = [
  { name: "not marked", holds: (mark) => mark === undefined, words: () => "Not marked so far." },
  {
    name: "marked",
    holds: () => true,
    words: (mark) => (mark === undefined ? "" : `Now: ${MARK_WORDS[mark.mark]}, by ${mark.by}. It is replaced.`),
  },
];

export function markNow(mark: Mark): string {
  return firstWords(MARK_CLAIMS, mark);
}
