import type { CrashPoint } from "@/engine/crash-point";

/** What is done to the process, or to its connections, at a point. */
export const MODES = ["kill", "stop", "cut", "throw"] as const;
export type Mode = (typeof MODES)[number];

/** Commands of the example business; `account` is the local path, the others cross to the provider. */
export const OPERATIONS = ["payment", "refund", "void", "account"] as const;
export type OperationName = (typeof OPERATIONS)[number];

export type PointId =
  CrashPoint | "C2" | "C5" | "C6" | "C7" | "C8" | "C9" | "C10" | "P3" | "P4" | "P6" | "P8" | "R3" | "R7";

/** Where a point is met: a line of our code, the edge of a statement, or a message on the wire. */
export type Where =
  | { readonly kind: "code" }
  | { readonly kind: "seam"; readonly when: "before" | "after"; readonly statements: readonly string[] }
  /** The answer to a statement is lost, or the statement itself; `after` names one that came before it on the connection. */
  | { readonly kind: "database"; readonly statement: string; readonly after?: string }
  | { readonly kind: "provider"; readonly request: "POST" | "GET"; readonly at: "request" | "reply" }
  /** The process has its answer and has not told it. */
  | { readonly kind: "answer" }
  /** The answer is cut on its way to the client. */
  | { readonly kind: "http" };

export interface Point {
  readonly id: PointId;
  readonly where: Where;
  readonly modes: readonly Mode[];
  readonly operations: readonly OperationName[];
  /** Who is at work: the first caller, or recovery of what a first caller left. */
  readonly actor: "caller" | "recovery";
  /** Faults of the provider under which the point is still reached. */
  readonly faults: readonly Fault[];
  /** For recovery: what the provider must have of the first try. */
  readonly left?: "found" | "absent" | "any";
  readonly moment: string;
  /** What the runs at this point show, in words; the oracles are the judge. */
  readonly proves: string;
}

/** Of the sandbox provider, each at rate 1 (`slow_ms` in milliseconds); see payments/sandbox/faults.ts. */
export type Fault =
  | "timeout_before"
  | "timeout_after_accept"
  | "error_before"
  | "error_after_accept"
  | "garbage"
  | "rate_limit"
  | "processing"
  | "down"
  | "slow_ms"
  | "late_ms"
  | "lookup_down";

const ALL_FAULTS: readonly Fault[] = [
  "timeout_before",
  "timeout_after_accept",
  "error_before",
  "error_after_accept",
  "garbage",
  "rate_limit",
  "processing",
  "down",
  "slow_ms",
  "late_ms",
];
const IN_CODE: readonly Mode[] = ["kill", "stop", "cut", "throw"];
const ON_WIRE: readonly Mode[] = ["kill", "stop", "cut"];
const PROVIDER_PATH: readonly OperationName[] = ["payment", "refund", "void"];
const INSERTS = ["insert_payment", "insert_refund", "insert_void", "insert_account"];

const caller = { actor: "caller", operations: OPERATIONS } as const;
const sender = { actor: "caller", operations: PROVIDER_PATH } as const;
const recovery = { actor: "recovery", operations: PROVIDER_PATH } as const;
const code = { where: { kind: "code" }, modes: IN_CODE } as const;

/** The matrix of docs/CRASH.md. R8 is the mode `stop` of P2–P8 and R2–R7: the paused owner comes back after the take-over. */
export const POINTS: readonly Point[] = [
  {
    id: "C1",
    ...code,
    ...caller,
    faults: ALL_FAULTS,
    moment: "before the claim is sent",
    proves: "nothing is left of it, and the same key executes",
  },
  {
    id: "C2",
    where: { kind: "database", statement: "claim" },
    modes: ON_WIRE,
    ...caller,
    faults: ALL_FAULTS,
    moment: "the claim is sent, its acknowledgement lost",
    proves: "the claim stands or not; the next try finds out and does not make a second",
  },
  {
    id: "C3",
    ...code,
    ...caller,
    faults: ALL_FAULTS,
    moment: "the claim is won",
    proves: "a claim without an effect: its lease runs out, and the same key executes once",
  },
  {
    id: "C4",
    ...code,
    ...caller,
    faults: ALL_FAULTS,
    moment: "before the local transaction",
    proves: "as C3; on the local path nothing is left at all",
  },
  {
    id: "C5",
    where: { kind: "seam", when: "after", statements: INSERTS },
    modes: IN_CODE,
    ...caller,
    faults: ALL_FAULTS,
    moment: "after the business row is inserted",
    proves: "the row goes with its transaction",
  },
  {
    id: "C6",
    where: { kind: "seam", when: "after", statements: ["complete"] },
    modes: IN_CODE,
    ...caller,
    faults: ["slow_ms"],
    moment: "after answer and outbox row are inserted",
    proves: "effect, answer and event are kept together or not at all",
  },
  {
    id: "C7",
    where: { kind: "seam", when: "before", statements: ["commit"] },
    modes: IN_CODE,
    ...caller,
    faults: ALL_FAULTS,
    moment: "before COMMIT",
    proves: "nothing is seen of what did not commit",
  },
  {
    id: "C8",
    where: { kind: "database", statement: "commit" },
    modes: ON_WIRE,
    ...caller,
    faults: ALL_FAULTS,
    moment: "COMMIT is sent, its acknowledgement lost",
    proves: "it stands or not, whole; the caller is not told that it surely does not",
  },
  {
    id: "C9",
    where: { kind: "answer" },
    modes: ["kill", "stop"],
    ...caller,
    faults: ALL_FAULTS,
    moment: "committed, before the answer is written",
    proves: "the effect stands, and the next try gets its answer",
  },
  {
    id: "C10",
    where: { kind: "http" },
    modes: ["cut"],
    ...caller,
    faults: [],
    moment: "the HTTP answer is cut after some bytes",
    proves: "who read half an answer gets it whole, with the same bytes",
  },
  {
    id: "P1",
    ...code,
    ...sender,
    faults: ALL_FAULTS,
    moment: "local row committed, not yet marked sent",
    proves: "nothing was sent, and an owner that was overtaken does not send",
  },
  {
    id: "P2",
    ...code,
    ...sender,
    faults: ALL_FAULTS,
    moment: "marked sent, no byte has left",
    proves: "the provider is asked before the same provider key is sent again",
  },
  {
    id: "P3",
    where: { kind: "provider", request: "POST", at: "request" },
    modes: ON_WIRE,
    ...sender,
    faults: ALL_FAULTS,
    moment: "the request is lost before the provider accepts it, or arrives late",
    proves: "as P2, and a request that comes late is the same effect",
  },
  {
    id: "P4",
    where: { kind: "provider", request: "POST", at: "reply" },
    modes: ON_WIRE,
    ...sender,
    faults: ["error_after_accept", "garbage", "processing", "slow_ms", "rate_limit", "error_before"],
    moment: "accepted, the provider's answer lost",
    proves: "unknown, never free: settled by asking the provider",
  },
  { id: "P5", ...code, ...sender, faults: ALL_FAULTS, moment: "the answer is read, not kept", proves: "as P4" },
  {
    id: "P6",
    where: { kind: "database", statement: "confirm_provider" },
    modes: ON_WIRE,
    ...sender,
    faults: ["slow_ms"],
    moment: "CONFIRMED is sent, its acknowledgement lost",
    proves: "confirmed or not, recovery asks again and settles once",
  },
  {
    id: "P7",
    ...code,
    ...sender,
    faults: ["slow_ms"],
    moment: "CONFIRMED, before completion",
    proves: "the answer of an owner that was overtaken is refused",
  },
  {
    id: "P8",
    where: { kind: "database", statement: "commit", after: "complete" },
    modes: ON_WIRE,
    ...sender,
    faults: ["slow_ms"],
    moment: "the completion is sent, its acknowledgement lost",
    proves: "settled or not, whole; the next one replays or settles",
  },
  {
    id: "R1",
    ...code,
    ...recovery,
    left: "any",
    faults: ALL_FAULTS,
    moment: "before recovery takes over",
    proves: "nothing has changed; the next tick takes over",
  },
  {
    id: "R2",
    ...code,
    ...recovery,
    left: "any",
    faults: ALL_FAULTS,
    moment: "fence raised, the provider not asked",
    proves: "a recovery that died is recovered like any owner",
  },
  {
    id: "R3",
    where: { kind: "provider", request: "GET", at: "request" },
    modes: ON_WIRE,
    ...recovery,
    left: "any",
    faults: ["slow_ms", "processing", "error_before"],
    moment: "the look-up is not answered",
    proves: "it stays unknown and is asked again",
  },
  {
    id: "R4",
    ...code,
    ...recovery,
    left: "found",
    faults: ["slow_ms"],
    moment: "found, before it is written",
    proves: "the next one asks again and settles once",
  },
  {
    id: "R5",
    ...code,
    ...recovery,
    left: "absent",
    faults: ["timeout_before", "timeout_after_accept", "error_after_accept", "garbage", "late_ms"],
    moment: "absent, before the same key is sent again",
    proves: "the next one asks again; one of them sends",
  },
  {
    id: "R6",
    ...code,
    ...recovery,
    left: "absent",
    faults: ["timeout_after_accept", "error_after_accept", "garbage", "processing", "error_before"],
    moment: "sent again, before it is written",
    proves: "sent twice under one provider key is one effect",
  },
  {
    id: "R7",
    where: { kind: "database", statement: "commit", after: "complete" },
    modes: ON_WIRE,
    ...recovery,
    left: "any",
    faults: ["slow_ms"],
    moment: "recovery's completion is sent, its acknowledgement lost",
    proves: "as P8",
  },
];

export function pointOf(id: string): Point {
  const point = POINTS.find((each) => each.id === id);
  if (point === undefined)
    throw new Error(`There is no crash point ${id}: ${POINTS.map((each) => each.id).join(", ")}.`);
  return point;
}
