import type { Queryable } from "@/db/client";
import type { DeadLetterDbRow } from "@/db/messages/dead-letters";
import { judgeDiscard, judgeRequeue, type Judged } from "@/domain/messages/requeue-verdict";
import type { MessageAction } from "../actions/message-actions";
import { messageFacts } from "../actions/dead-letter-facts";

const SETTLED_WORDS = { requeued: "requeued", closed: "closed as delivered", discarded: "discarded" } as const;

/** @returns the verdict of a dead letter that somebody settled already; undefined while it is open */
export function settledVerdict(deadLetter: DeadLetterDbRow): Judged | undefined {
  if (deadLetter.settledAt === undefined) return undefined;
  const what = SETTLED_WORDS[deadLetter.settlement ?? "requeued"];
  const why = `${deadLetter.settledBy ?? "Somebody"} ${what} it at ${deadLetter.settledAt}.`;
  return { verdict: deadLetter.settlement === "closed" ? "processed" : "moved", act: "leave", why };
}

/** Judges many dead letters at once, by the rule of a single one. @returns by id of the dead letter */
export async function judgeDeadLetters(
  q: Queryable,
  tenantId: string,
  action: MessageAction,
  deadLetters: readonly DeadLetterDbRow[],
): Promise<ReadonlyMap<string, Judged>> {
  const judged = await judgeDeadLettersBoth(q, tenantId, deadLetters);
  return new Map([...judged].map(([id, both]) => [id, both[action]]));
}

/** Both answers about each: their facts are read once. @returns by id of the dead letter */
export async function judgeDeadLettersBoth(
  q: Queryable,
  tenantId: string,
  deadLetters: readonly DeadLetterDbRow[],
): Promise<ReadonlyMap<string, Readonly<Record<MessageAction, Judged>>>> {
  const idsOf = (side: "outbox" | "inbox") =>
    deadLetters.filter((row) => row.side === side && row.settledAt === undefined).map((row) => row.messageId);
  const facts = {
    outbox: await messageFacts(q, tenantId, "outbox", idsOf("outbox")),
    inbox: await messageFacts(q, tenantId, "inbox", idsOf("inbox")),
  };
  return new Map(
    deadLetters.map((deadLetter) => {
      const settled = settledVerdict(deadLetter);
      const own = facts[deadLetter.side].get(deadLetter.messageId)?.facts;
      return [deadLetter.id, { requeue: settled ?? judgeRequeue(own), discard: settled ?? judgeDiscard(own) }];
    }),
  );
}
