import {
  ALL_FAULTS,
  atSeam,
  CRASH_OPERATIONS,
  IN_CODE,
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

/** The matrix of docs/CRASH.md. R8 is the mode `stop` of P2–P8 and R2–R7: the paused owner comes back after the take-over. */
export const OPERATION_POINTS: readonly Point[] = [...CALLER_POINTS, ...PROVIDER_POINTS, ...RECOVERY_POINTS];
