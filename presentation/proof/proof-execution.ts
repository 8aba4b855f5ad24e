import {
  claimOfCount,
  eventProofRow,
  gapText,
  type Judgement,
  proofRowsOf,
  unconfirmed,
  unseen,
  type ProofCase,
} from "./proof-case";
import type { ProofAnswer } from "@/domain/checks/proof-facts";
import { differingRows } from "./proof-effects";
import { plural } from "../format/words";

type Claim = Judgement | undefined;

/** The unique index holds: every request found the same row. */
export function claimedOnce({ facts }: ProofCase): Judgement {
  return claimOfCount({
    text: "One row holds the key.",
    expected: 1,
    counted: facts.holders.length,
    rows: facts.holders.map((id) => ({ table: "idempotency_requests", id })),
    thing: ["row", "rows"],
  });
}

export function executedOnce(it: ProofCase): Judgement {
  const { outcome, marks, settlements, expected } = it;
  const rows = marks.map((mark) => mark.row);
  const base = {
    rows,
    counted: settlements,
    thing: ["execution", "executions"] as const,
    unseen: unseen(it, "events"),
  };
  if (it.hand !== undefined && unconfirmed(it)) return settledByHand(it, it.hand.decision);
  const once = { ...base, name: "executed_once", text: "Executed once.", expected: 1 };
  if (outcome === "made") return claimOfCount(once);
  if (outcome === "nothing") return claimOfCount({ ...base, name: "never_executed", text: expected.none, expected: 0 });
  if (outcome === "refused") {
    const thing = ["final answer", "final answers"] as const;
    return claimOfCount({ ...once, name: "refused_once", text: "Refused for good, once.", thing });
  }
  // A trace of a settlement contradicts an operation that is not settled.
  const waits = outcome === "retryable" ? "Nothing took effect so far; the same key may run again." : unsettledText(it);
  return claimOfCount({ ...once, expected: settlements > 0 ? 0 : 1, waits });
}

/** Nobody but a person says what became of it: that it was settled is all that can be counted. */
function settledByHand(it: ProofCase, decision: string): Judgement {
  const { facts, marks, settlements, outcome } = it;
  const decisions = facts.events.rows.filter(({ type, fence }) => type === "resolved" && fence === facts.request.fence);
  const final = outcome === "made" || outcome === "refused";
  return claimOfCount({
    name: "settled_by_hand",
    text: `Settled by hand as ${decision}, once.`,
    expected: 1,
    counted: final ? settlements : decisions.length,
    rows: final ? marks.map((mark) => mark.row) : decisions.map(eventProofRow),
    thing: ["settlement", "settlements"],
    waits: outcome === "retryable" ? "The same key may run again." : undefined,
    unseen: unseen(it, "events"),
  });
}

function unsettledText({ facts }: ProofCase): string {
  if (facts.request.state === "UNKNOWN_REQUIRES_RECOVERY")
    return "The provider may have acted: a look-up or a person has to settle it.";
  const until = facts.open?.lockedUntil;
  if (until !== undefined && Date.parse(until) <= Date.parse(facts.at))
    return "Its owner fell silent: recovery takes it over.";
  return "Its owner is still working.";
}

/** No two owners under one fence, and no write of one who had lost it. */
export function lastOwnerSettled(it: ProofCase): Judgement {
  const { facts, marks } = it;
  const owners = facts.events.rows.filter((event) => event.type === "claimed" || event.type === "taken_over");
  const late = facts.events.rows.filter((event) => event.type === "fenced");
  const fences = owners.flatMap((event) => event.fence ?? []);
  const last = Math.max(facts.request.fence, ...fences);
  const wrong = marks.filter((mark) => mark.fence !== last).length;
  const shared = fences.length - new Set(fences).size;
  return claimOfCount({
    text: "No owner wrote after it had lost the operation.",
    expected: 0,
    counted: wrong + shared,
    rows: [...owners, ...late].map(eventProofRow),
    thing: ["write of a lost owner", "writes of lost owners"],
    unseen: unseen(it, "events"),
    remark: late.length === 0 ? undefined : `${plural(late.length, "late write")} turned away by the fence.`,
  });
}

export function sameBytes(it: ProofCase): Claim {
  const { facts } = it;
  const served = facts.events.rows.filter((event) => event.servedHash !== undefined);
  if (served.length === 0) return undefined;
  const counted = new Set(served.map((event) => event.servedHash)).size;
  if (facts.request.replay === "reference" && counted > 1) {
    return {
      text: "Replays show what was made as it is now.",
      expected: "1",
      counted: "1",
      status: "holds",
      note: "This operation replays by reference, so its bytes may change.",
      rows: served.map(eventProofRow),
    };
  }
  return claimOfCount({
    text:
      served.length === 1
        ? "One answer was served."
        : `All ${String(served.length)} served answers had the same bytes.`,
    expected: 1,
    counted,
    rows: served.map(eventProofRow),
    thing: ["different answer", "different answers"],
    failure: `${String(counted)} different answers were served where 1 belongs.`,
    unseen: unseen(it, "events"),
  });
}

/** The kept answer is the one that was served; hashes are compared, not contents. */
export function keptAnswer(it: ProofCase): Claim {
  const { facts, outcome } = it;
  if (outcome !== "made" && outcome !== "refused") return undefined;
  const { request, answers } = facts;
  const served = new Set(facts.events.rows.flatMap((event) => event.servedHash ?? []));
  const other = answers.rows.filter(({ hash }) => hash !== undefined && served.size > 0 && !served.has(hash)).length;
  const text = served.size === 0 ? "One answer is kept for replays." : "The kept answer is the one that was served.";
  const base = {
    text,
    expected: 1,
    rows: answers.rows.map(() => ({ table: "idempotency_bodies", id: request.operationId })),
    thing: ["kept answer", "kept answers"] as const,
  };
  if (other > 0)
    return claimOfCount({
      ...base,
      counted: answers.rows.length - other,
      failure: "The kept answer is not the one that was served.",
    });
  if (answers.rows.length === 0 && request.replay !== "stored") return undefined;
  return claimOfCount({
    ...base,
    counted: answers.rows.length,
    unseen: whyNotKept(request.bodyPurgedAt, answers.gap, answers.rows),
  });
}

function whyNotKept(
  purgedAt: string | undefined,
  gap: ProofCase["facts"]["answers"]["gap"],
  rows: readonly ProofAnswer[],
): string | undefined {
  if (purgedAt !== undefined) return `The kept answer was purged on ${purgedAt.slice(0, 10)}.`;
  if (rows.length === 0) return gap === undefined ? "No answer is kept to compare with." : gapText("kept answers", gap);
  return rows.find((row) => row.unreadable !== undefined)?.unreadable;
}

export function othersNeverRan(it: ProofCase): Claim {
  const conflicts = it.facts.events.rows.filter((event) => event.outcome === "conflict");
  if (conflicts.length === 0) return undefined;
  const ran = Math.max(0, it.settlements - 1) + differingRows(it).length;
  return claimOfCount({
    text:
      conflicts.length === 1
        ? "The other command under this key never ran."
        : `The ${String(conflicts.length)} requests with another command never ran.`,
    expected: 0,
    counted: ran,
    rows: proofRowsOf("idempotency_events", conflicts),
    thing: ["effect of another command", "effects of another command"],
    unseen: unseen(it, "events"),
  });
}
