import { firstClaim } from "../page-claim";
import {
  INBOX_ALIVE_CLAIMS,
  INBOX_DISCARD_CLAIMS,
  INBOX_REQUEUE_CLAIMS,
  OUTBOX_ALIVE_CLAIMS,
  OUTBOX_DISCARD_CLAIMS,
  OUTBOX_REQUEUE_CLAIMS,
  type RequeueClaim,
} from "./requeue-claims";
import type { DeadLetterFacts, Judged, RowFacts } from "./requeue-verdict";

export const GONE: Judged = { verdict: "moved", act: "leave", why: "There is no such message any more." };

/** May it try again? @param facts undefined: its row is gone */
export function judgeRequeue(facts: DeadLetterFacts | undefined): Judged {
  if (facts === undefined) return GONE;
  const alive = judgeAlive(facts);
  if (alive !== undefined) return alive;
  return facts.side === "outbox"
    ? judgedBy(firstClaim(OUTBOX_REQUEUE_CLAIMS, facts), facts)
    : judgedBy(firstClaim(INBOX_REQUEUE_CLAIMS, facts), facts);
}

/** The verdict on a message that is not dead, whatever is asked of it. @returns undefined while it is dead: then more decides */
export function judgeAlive(facts: RowFacts): Judged | undefined {
  if (facts.state === "dead") return undefined;
  return facts.side === "outbox"
    ? judgedBy(firstClaim(OUTBOX_ALIVE_CLAIMS, facts), facts)
    : judgedBy(firstClaim(INBOX_ALIVE_CLAIMS, facts), facts);
}

/** May it be dropped for good? The same facts: what a consumer holds already was delivered, so it is closed, not discarded. */
export function judgeDiscard(facts: DeadLetterFacts | undefined): Judged {
  if (facts === undefined) return GONE;
  const alive = judgeAlive(facts);
  if (alive !== undefined) return alive;
  return facts.side === "outbox"
    ? judgedBy(firstClaim(OUTBOX_DISCARD_CLAIMS, facts), facts)
    : judgedBy(firstClaim(INBOX_DISCARD_CLAIMS, facts), facts);
}

function judgedBy<Facts>({ verdict, act, words, brief }: RequeueClaim<Facts>, facts: Facts): Judged {
  return { verdict, act, why: words(facts), ...(brief !== undefined && { brief: brief(facts) }) };
}
