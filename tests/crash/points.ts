import {
  ALL_FAULTS,
  atSeam,
  CRASH_OPERATIONS,
  IN_CODE,
  type MessagePoint,
  onWire,
  type OperationName,
  type Point,
  pointsOf,
} from "./point";

const PROVIDER_PATH: readonly OperationName[] = ["payment", "refund", "void"];
const INSERTS = ["insert_payment", "insert_refund", "insert_void", "insert_account"];
const ONLY_SLOW = { faults: ["slow_ms"] } as const;

const CALLER_POINTS = pointsOf<Point>(
  { actor: "caller", operations: CRASH_OPERATIONS, faults: ALL_FAULTS },
  {
    C1: [IN_CODE, "before the claim is sent", "nothing is left of it, and the same key executes"],
    C2: [
      onWire({ kind: "database", statement: "claim" }),
      "the claim is sent, its acknowledgement lost",
      "the claim stands or not; the next try finds out and does not make a second",
    ],
    C3: [IN_CODE, "the claim is won", "a claim without an effect: its lease runs out, and the same key executes once"],
    C4: [IN_CODE, "before the local transaction", "as C3; on the local path nothing is left at all"],
    C5: [atSeam("after", ...INSERTS), "after the business row is inserted", "the row goes with its transaction"],
    C6: [
      atSeam("after", "complete"),
      "after answer and outbox row are inserted",
      "effect, answer and event are kept together or not at all",
      ONLY_SLOW,
    ],
    C7: [atSeam("before", "commit"), "before COMMIT", "nothing is seen of what did not commit"],
    C8: [
      onWire({ kind: "database", statement: "commit" }),
      "COMMIT is sent, its acknowledgement lost",
      "it stands or not, whole; no answer to the caller says that it surely does not",
    ],
    C9: [
      { where: { kind: "answer" }, modes: ["kill", "stop"] },
      "committed, before the answer is written",
      "the effect stands, and the next try gets its answer",
    ],
    C10: [
      { where: { kind: "http" }, modes: ["cut"] },
      "the HTTP answer is cut after some bytes",
      "who read half an answer gets it whole, with the same bytes",
      { faults: [] },
    ],
  },
);

const PROVIDER_POINTS = pointsOf<Point>(
  { actor: "caller", operations: PROVIDER_PATH, faults: ALL_FAULTS },
  {
    P1: [
      IN_CODE,
      "local row committed, not yet marked sent",
      "nothing was sent, and an owner that was overtaken does not send",
    ],
    P2: [IN_CODE, "marked sent, no byte has left", "the provider is asked before the same provider key is sent again"],
    P3: [
      onWire({ kind: "provider", request: "POST", at: "request" }),
      "the request is lost before the provider accepts it, or arrives late",
      "as P2, and a request that comes late is the same effect",
    ],
    P4: [
      onWire({ kind: "provider", request: "POST", at: "reply" }),
      "accepted, the provider's answer lost",
      "unknown, never free: settled by asking the provider",
      { faults: ["error_after_accept", "garbage", "processing", "slow_ms", "rate_limit", "error_before"] },
    ],
    P5: [IN_CODE, "the answer is read, not kept", "as P4"],
    P6: [
      onWire({ kind: "database", statement: "answer_and_confirm_provider" }),
      "CONFIRMED is sent, its acknowledgement lost",
      "confirmed or not, recovery asks again and settles once",
      ONLY_SLOW,
    ],
    P7: [IN_CODE, "CONFIRMED, before completion", "the answer of an owner that was overtaken is refused", ONLY_SLOW],
    P8: [
      onWire({ kind: "database", statement: "commit", after: "complete" }),
      "the completion is sent, its acknowledgement lost",
      "settled or not, whole; the next one replays or settles",
      ONLY_SLOW,
    ],
  },
);

/** Callers of several keys in one process at the same moment, whose claims, or whole transactions, go together. */
const BATCH_POINTS = pointsOf<Point>(
  { actor: "caller", operations: ["account"], faults: [], together: true },
  {
    B1: [
      onWire({ kind: "database", statement: "claim_many" }),
      "the claims of several callers are sent, their acknowledgement lost",
      "they stand or not; the next try of each finds out and does not make a second",
      { operations: ["payment"] },
    ],
    B2: [
      atSeam("after", "insert_account"),
      "one of several in a shared transaction has its row",
      "nothing of any of them is left; one that fails makes its neighbours run again, each once",
    ],
    B3: [atSeam("before", "complete_many"), "the rows of all of them are inserted, no answer is kept", "as B2"],
    B4: [
      onWire({ kind: "database", statement: "commit", after: "complete_many" }),
      "the COMMIT of all of them is sent, its acknowledgement lost",
      "all of it stands or nothing; no answer to a caller says that its part surely does not",
    ],
    B5: [
      { where: { kind: "answer" }, modes: ["kill", "stop"] },
      "all of them are committed, none has its answer",
      "every effect stands, and the next try of each gets its answer",
      { operations: ["payment", "account"] },
    ],
    B6: [
      atSeam("before", "prepare_provider_many"),
      "the local rows of several calls of the provider are inserted, none is prepared",
      "as B2, and nothing was sent",
      { operations: ["payment"] },
    ],
    B7: [
      onWire({ kind: "database", statement: "commit", after: "prepare_provider_many" }),
      "the COMMIT of several prepared calls is sent, its acknowledgement lost",
      "all of them are prepared or none is; nothing was sent, and the next try of each sends once",
      { operations: ["payment"] },
    ],
  },
);

const RECOVERY_POINTS = pointsOf<Point>(
  { actor: "recovery", operations: PROVIDER_PATH, left: "any", faults: ALL_FAULTS },
  {
    R1: [IN_CODE, "before recovery takes over", "nothing has changed; the next tick takes over"],
    R2: [IN_CODE, "fence raised, the provider not asked", "a recovery that died is recovered like any owner"],
    R3: [
      onWire({ kind: "provider", request: "GET", at: "request" }),
      "the look-up is not answered",
      "it stays unknown and is asked again",
      { faults: ["slow_ms", "processing", "error_before"] },
    ],
    R4: [
      IN_CODE,
      "found, before it is written",
      "the next one asks again and settles once",
      { left: "found", ...ONLY_SLOW },
    ],
    R5: [
      IN_CODE,
      "absent, before the same key is sent again",
      "the next one asks again; one of them sends",
      {
        left: "absent",
        faults: ["timeout_before", "timeout_after_accept", "error_after_accept", "garbage", "late_ms"],
      },
    ],
    R6: [
      IN_CODE,
      "sent again, before it is written",
      "sent twice under one provider key is one effect",
      {
        left: "absent",
        faults: ["timeout_after_accept", "error_after_accept", "garbage", "processing", "error_before"],
      },
    ],
    R7: [
      onWire({ kind: "database", statement: "commit", after: "complete" }),
      "recovery's completion is sent, its acknowledgement lost",
      "as P8",
      ONLY_SLOW,
    ],
  },
);

/** O5 is the mode `stop` of O1–O4 and O7: a paused relay is overtaken and comes back. */
const RELAY_POINTS = pointsOf<MessagePoint>(
  { actor: "message", roles: ["relay"] },
  {
    O1: [IN_CODE, "a batch is taken, nothing is sent", "its lease runs out, and another relay sends it"],
    O2: [IN_CODE, "some of a batch are sent", "what was sent is sent again under the same id, and is a duplicate"],
    O3: [IN_CODE, "acknowledged, not yet marked", "as O2"],
    O4: [
      onWire({ kind: "database", statement: "publish_outbox" }),
      "the mark is sent, its acknowledgement lost",
      "marked or not, whole; what is not is sent again",
    ],
    O6: [
      IN_CODE,
      "marked and moved to the history, before anything else",
      "mark and move are one: it is not sent again",
    ],
    O7: [
      onWire({ kind: "peer", at: "either" }),
      "a delivery or its acknowledgement is lost on the way, or arrives late",
      "an attempt that failed; its followers wait, and a second arrival is a duplicate",
    ],
  },
);

const INBOX_POINTS = pointsOf<MessagePoint>(
  { actor: "message", roles: ["consumer"] },
  {
    I1: [IN_CODE, "received, before the inbox row", "not acknowledged, so it comes again", { roles: ["receiver"] }],
    I2: [
      IN_CODE,
      "effects are written, before COMMIT",
      "effect and mark go together; who was overtaken takes its effects back",
    ],
    I3: [
      onWire({ kind: "database", statement: "commit", after: "finish_inbox" }),
      "the commit of effects is sent, its acknowledgement lost",
      "handled or not, whole; nothing is handled twice",
    ],
    I4: [
      IN_CODE,
      "committed, before the sender or the loop learns of it",
      "it comes again as a duplicate, and no consumer sees it twice",
      { roles: ["receiver", "consumer"] },
    ],
    I5: [
      IN_CODE,
      "a handler has thrown, the failure is not written, attempts are left",
      "a lost attempt is one of the counted; the next one handles it",
      { trouble: "passes" },
    ],
    I6: [
      IN_CODE,
      "the last attempt has failed, the dead letter is not written",
      "dead with one dead letter, once; requeued, it is handled once",
      { trouble: "stays" },
    ],
    I7: [
      atSeam("after", "requeue_inbox"),
      "an operator's requeue is written, not committed",
      "requeued with its dead letter settled, or not at all; the same request again does it once",
      { roles: ["operator"], trouble: "stays" },
    ],
    I8: [
      atSeam("before", "publish_outbox"),
      "the mail is sent, not yet marked",
      "the notification is there once and is marked; the mail may come again under the same Message-ID",
      { roles: ["mailer"] },
    ],
    I9: [
      atSeam("after", "correct_outbox"),
      "the approval of a corrected message is written, not committed",
      "one new message in the place of the old one, or nothing; the same approval again does it once, and the old one never leaves",
      { roles: ["approver"] },
    ],
  },
);

/** The matrix, in the order of docs/CRASH.md. R8 is the mode `stop` of P2–P8 and R2–R7: the paused owner comes back after the take-over. */
export const POINTS: readonly (Point | MessagePoint)[] = [
  ...CALLER_POINTS,
  ...PROVIDER_POINTS,
  ...BATCH_POINTS,
  ...RECOVERY_POINTS,
  ...RELAY_POINTS,
  ...INBOX_POINTS,
];
