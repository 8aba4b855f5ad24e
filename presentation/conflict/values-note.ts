import { firstWords, type PageClaim } from "@/domain/page-claim";

/** What is there of the commands of a conflict of which no values are shown. */
export interface ValuesFacts {
  /** `elsewhere`: its service keeps it; `none`: there is no such row; `closed`: no key of ours opened it now. */
  readonly first: "elsewhere" | "none" | "closed" | "open";
}

/** Why whoever may see values sees none: the first that holds. What is stored and was not opened is not purged. */
const UNREAD_CLAIMS: readonly PageClaim<ValuesFacts>[] = [
  {
    name: "elsewhere",
    holds: ({ first }) => first === "elsewhere",
    words: () => "The service keeps its commands to itself.",
  },
  { name: "none", holds: ({ first }) => first === "none", words: () => "The first command is not stored here." },
  { name: "closed", holds: ({ first }) => first === "closed", words: () => "The first command could not be opened." },
  { name: "second", holds: ({ first }) => first === "open", words: () => "The second command could not be read." },
];

export function valuesNote(facts: ValuesFacts): string {
  return firstWords(UNREAD_CLAIMS, facts);
}
