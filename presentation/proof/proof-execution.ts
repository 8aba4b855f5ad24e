import {
  claimOfCount,
  eventProofRow,
  type Judgement,
  proofRowsOf,
  remark,
  unconfirmed,
  unseen,
  type ProofCase,
} from "./proof-case";
import { differingRows } from "./proof-effects";
import { claimWords, firstWords } from "@/domain/page-claim";
import {
  DIFFERENT_CLAIMS,
  FENCE_NOTES,
  HAND_CLAIMS,
  NOT_KEPT_CLAIMS,
  OTHERS_CLAIMS,
  SERVED_CLAIMS,
  UNSETTLED_CLAIMS,
} from "./proof-execution-claims";

type Claim = Judgement | undefined;

/** The unique index holds: every request found the same row. */
export function claimedOnce({ facts }: ProofCase): Judgement {
  return claimOfCount({
    text: facts.request.setAside === true ? "One row holds the key as it was set aside." : "One row holds the key.",
    expected: 1,
    counted: facts.holders.length,
    rows: facts.holders.map((id) => ({ table: "idempotency_requests", id })),
    thing: ["row", "rows"],
  });
}

/** What took effect, other claims count; how often the key ran, and how often it may, the rows of a proof do not say. */
const MAY_RUN_AGAIN = "The same key may run again, as often as its policy lets it.";

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
  const waits = outcome === "retryable" ? MAY_RUN_AGAIN : firstWords(UNSETTLED_CLAIMS, it.facts);
  return claimOfCount({ ...once, expected: settlements > 0 ? 0 : 1, waits });
}

/** Nobody but a person says what became of it: that it was settled is all that can be counted. */
function settledByHand(it: ProofCase, decision: "succeeded" | "failed"): Judgement {
  const { facts, marks, settlements, outcome } = it;
  const decisions = facts.events.rows.filter(({ type, fence }) => type === "resolved" && fence === facts.request.fence);
  const final = outcome === "made" || outcome === "refused";
  return claimOfCount({
    name: "settled_by_hand",
    text: firstWords(HAND_CLAIMS, decision),
    expected: 1,
    counted: final ? settlements : decisions.length,
    rows: final ? marks.map((mark) => mark.row) : decisions.map(eventProofRow),
    thing: ["settlement", "settlements"],
    waits: outcome === "retryable" ? MAY_RUN_AGAIN : undefined,
    unseen: unseen(it, "events"),
  });
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
    remark: remark(FENCE_NOTES, late),
  });
}

export function sameBytes(it: ProofCase): Claim {
  const { facts } = it;
  const served = facts.events.rows.filter((event) => event.servedHash !== undefined);
  if (served.length === 0) return undefined;
  const counted = new Set(served.map((event) => event.servedHash)).size;
  if (facts.request.replay === "reference" && counted > 1) {
    return {
      text: "Each replay showed what was made as it was then.",
      expected: "1",
      counted: "1",
      status: "holds",
      note: "This operation was replayed by reference, so its bytes may differ.",
      rows: served.map(eventProofRow),
    };
  }
  return claimOfCount({
    text: firstWords(SERVED_CLAIMS, served),
    expected: 1,
    counted,
    rows: served.map(eventProofRow),
    thing: ["different answer", "different answers"],
    failure: claimWords(DIFFERENT_CLAIMS, counted)[0],
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
  const text = served.size === 0 ? "One answer is kept." : "The kept answer is the one that was served.";
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
    unseen: claimWords(NOT_KEPT_CLAIMS, { purgedAt: request.bodyPurgedAt, ...answers })[0],
  });
}

export function othersNeverRan(it: ProofCase): Claim {
  const conflicts = it.facts.events.rows.filter((event) => event.outcome === "conflict");
  if (conflicts.length === 0) return undefined;
  const ran = Math.max(0, it.settlements - 1) + differingRows(it).length;
  return claimOfCount({
    text: firstWords(OTHERS_CLAIMS, conflicts),
    expected: 0,
    counted: ran,
    rows: proofRowsOf("idempotency_events", conflicts),
    thing: ["effect of another command", "effects of another command"],
    unseen: unseen(it, "events"),
  });
}
