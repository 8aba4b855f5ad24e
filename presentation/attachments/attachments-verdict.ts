import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { plural } from "../format/words";
import type { AttachmentsView, AttachmentView } from "../views/attachments";
import type { VerdictClause } from "../views/common";

type Facts = Pick<AttachmentsView, "attachments" | "limit">;

interface Toned extends PageClaim<Facts> {
  readonly tone: VerdictClause["tone"];
}

const silent = ({ attachments }: Facts): number =>
  attachments.filter(({ unreachable }) => unreachable !== undefined).length;

/** What the page of attachments opens with. */
const ATTACHMENTS_CLAIMS: readonly Toned[] = [
  {
    name: "none",
    tone: "fine",
    holds: ({ attachments }) => attachments.length === 0,
    words: () => "No database is attached.",
  },
  {
    name: "attached",
    tone: "fine",
    holds: ({ attachments }) => attachments.length > 0,
    words: ({ attachments: { length } }) => `${plural(length, "database")} ${length === 1 ? "is" : "are"} attached.`,
  },
  {
    name: "silent",
    tone: "broken",
    holds: (view) => silent(view) > 0,
    words: (view) => `${String(silent(view))} cannot be read now.`,
  },
];

export function attachmentsVerdict(view: Facts): readonly VerdictClause[] {
  return holding(ATTACHMENTS_CLAIMS, view).map(({ words, tone }) => ({ text: words(view), tone }));
}

/** What attaching is. */
export const ATTACHING =
  "The outbox, inbox, idempotency keys or jobs of another library, in a database of your own. Onceboard reads them by views that the owner of that database installs.";

const FULL: readonly PageClaim<Facts>[] = [
  {
    name: "full",
    holds: ({ attachments, limit }) => attachments.length >= limit,
    words: ({ limit }) => `A tenant attaches at most ${plural(limit, "database")}; remove one first.`,
  },
];

/** @returns why no further database can be attached, or undefined when one can */
export function attachmentLimit(view: Facts): string | undefined {
  return claimWords(FULL, view)[0];
}

type Reached = Pick<AttachmentView, "unreachable">;

/** Whether it can be read, as the table says it. */
const REACH_CLAIMS: readonly PageClaim<Reached>[] = [
  { name: "answers", holds: ({ unreachable }) => unreachable === undefined, words: () => "Answers" },
  { name: "silent", holds: ({ unreachable }) => unreachable !== undefined, words: () => "Cannot be read" },
];

export function reachWords(one: Reached): string {
  return firstWords(REACH_CLAIMS, one);
}
