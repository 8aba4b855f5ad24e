import type { Queryable } from "@/db/client";
import type { LetterRow } from "@/db/messages/dead-letters";
import { judgeDiscard, judgeRequeue, type Judged } from "@/domain/messages/requeue-verdict";
import type { MessageAction } from "../actions/message-actions";
import { messageFacts } from "../actions/dead-letter-facts";

const SETTLED_WORDS = { requeued: "requeued", closed: "closed as delivered", discarded: "discarded" } as const;

/** @returns the verdict of a dead letter that somebody settled already; undefined while it is open */
export function settledVerdict(letter: LetterRow): Judged | undefined {
  if (letter.settled_at === null) return undefined;
  const what = SETTLED_WORDS[letter.settlement ?? "requeued"];
  const why = `${letter.settled_by ?? "Somebody"} ${what} it at ${letter.settled_at}.`;
  return { verdict: letter.settlement === "closed" ? "processed" : "moved", act: "leave", why };
}

/** Judges many dead letters at once, by the rule of a single one. @returns by id of the dead letter */
export async function judgeLetters(
  q: Queryable,
  tenantId: string,
  action: MessageAction,
  letters: readonly LetterRow[],
): Promise<ReadonlyMap<string, Judged>> {
  const judged = await judgeLettersBoth(q, tenantId, letters);
  return new Map([...judged].map(([id, both]) => [id, both[action]]));
}

/** Both answers about each: their facts are read once. @returns by id of the dead letter */
export async function judgeLettersBoth(
  q: Queryable,
  tenantId: string,
  letters: readonly LetterRow[],
): Promise<ReadonlyMap<string, Readonly<Record<MessageAction, Judged>>>> {
  const idsOf = (side: "outbox" | "inbox") =>
    letters.filter((row) => row.side === side && row.settled_at === null).map((row) => row.message_row_id);
  const facts = {
    outbox: await messageFacts(q, tenantId, "outbox", idsOf("outbox")),
    inbox: await messageFacts(q, tenantId, "inbox", idsOf("inbox")),
  };
  return new Map(
    letters.map((letter) => {
      const settled = settledVerdict(letter);
      const own = facts[letter.side].get(letter.message_row_id)?.facts;
      return [letter.id, { requeue: settled ?? judgeRequeue(own), discard: settled ?? judgeDiscard(own) }];
    }),
  );
}
