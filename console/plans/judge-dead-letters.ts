import type { Queryable } from "@/db/client";
import type { DeadLetterDbRow } from "@/db/messages/dead-letters";
import type { JudgedOutlook } from "@/domain/messages/requeue-outlook";
import { firstWords, type PageClaim } from "@/domain/page-claim";
import { whenText } from "@/domain/messages/requeue-claims";
import { judgeDiscard, judgeRequeue } from "@/domain/messages/judge-message";
import type { Judged } from "@/domain/messages/requeue-verdict";
import { readOutlooks } from "@/console/read/messages/outlooks";
import type { MessageAction } from "../actions/message-actions";
import type { MessageSide } from "@/domain/messages/side";
import { messageFacts } from "../actions/dead-letter-facts";
import type { Opening } from "@/engine/messages/sealed-message";

const SETTLED_WORDS = {
  requeued: "requeued",
  closed: "closed as delivered",
  discarded: "discarded",
  corrected: "corrected",
} as const;

type Settled = Pick<DeadLetterDbRow, "settledAt" | "settledBy" | "settlement">;

export const SETTLED_CLAIMS: readonly PageClaim<Settled>[] = [
  {
    name: "settled",
    holds: ({ settledAt }) => settledAt !== undefined,
    words: ({ settledBy, settlement, settledAt }) =>
      `${settledBy ?? "Somebody"} ${SETTLED_WORDS[settlement ?? "requeued"]} it ${whenText(settledAt)}.`,
  },
];

/** @returns the verdict of a dead letter that somebody settled already; undefined while it is open */
export function settledVerdict(deadLetter: DeadLetterDbRow): Judged | undefined {
  if (deadLetter.settledAt === undefined) return undefined;
  const verdict = deadLetter.settlement === "closed" ? "processed" : "moved";
  return { verdict, act: "leave", why: firstWords(SETTLED_CLAIMS, deadLetter) };
}

/** Judges many dead letters at once, by the rule of a single one. @returns by id of the dead letter */
export async function judgeDeadLetters(
  q: Queryable,
  ctx: Opening,
  action: MessageAction,
  deadLetters: readonly DeadLetterDbRow[],
): Promise<ReadonlyMap<string, Judged>> {
  const judged = await judgeDeadLettersBoth(q, ctx, deadLetters);
  return new Map([...judged].map(([id, both]) => [id, both[action]]));
}

/** Both answers about each: their facts are read once. @returns by id of the dead letter */
export async function judgeDeadLettersBoth(
  q: Queryable,
  ctx: Opening,
  deadLetters: readonly DeadLetterDbRow[],
): Promise<ReadonlyMap<string, Readonly<Record<MessageAction, Judged>>>> {
  const idsOf = (side: "outbox" | "inbox") =>
    deadLetters.filter((row) => row.side === side && row.settledAt === undefined).map((row) => row.messageId);
  const facts = {
    outbox: await messageFacts(q, ctx, "outbox", idsOf("outbox")),
    inbox: await messageFacts(q, ctx, "inbox", idsOf("inbox")),
  };
  return new Map(
    deadLetters.map((deadLetter) => {
      const settled = settledVerdict(deadLetter);
      const own = facts[deadLetter.side].get(deadLetter.messageId)?.facts;
      return [deadLetter.id, { requeue: settled ?? judgeRequeue(own), discard: settled ?? judgeDiscard(own) }];
    }),
  );
}

/** Whether dead letters would get through if they were requeued now. @returns by id of the dead letter; a settled one has none */
export async function outlooksOfDeadLetters(
  q: Queryable,
  tenantId: string,
  deadLetters: readonly DeadLetterDbRow[],
): Promise<ReadonlyMap<string, JudgedOutlook>> {
  const open = deadLetters.filter((row) => row.settledAt === undefined);
  const idsOf = (side: MessageSide) => open.flatMap((row) => (row.side === side ? [row.messageId] : []));
  const found = {
    outbox: await readOutlooks(q, tenantId, "outbox", idsOf("outbox")),
    inbox: await readOutlooks(q, tenantId, "inbox", idsOf("inbox")),
  };
  return new Map(
    open.flatMap(({ id, side, messageId }) => {
      const outlook = found[side].get(messageId);
      return outlook === undefined ? [] : [[id, outlook] as const];
    }),
  );
}
