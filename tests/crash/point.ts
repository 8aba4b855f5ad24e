import type { CrashPoint } from "@/engine/crash-point";
import type { OperationName } from "./operations";

export type Mode = (typeof MODES)[number];

export type PointId =
  | CrashPoint
  | "O4"
  | "O7"
  | "I3"
  | "I7"
  | "I8"
  | "C2"
  | "C5"
  | "C6"
  | "C7"
  | "C8"
  | "C9"
  | "C10"
  | "P3"
  | "P4"
  | "P6"
  | "P8"
  | "R3"
  | "R7";

/** Where a point is met: a line of our code, the edge of a statement, or a message on the wire. */
export type PointPlace =
  | { readonly kind: "code" }
  | { readonly kind: "seam"; readonly when: "before" | "after"; readonly statements: readonly string[] }
  /** The answer to a statement is lost, or the statement itself; `after` names one that came before it on the connection. */
  | { readonly kind: "database"; readonly statement: string; readonly after?: string }
  | { readonly kind: "provider"; readonly request: "POST" | "GET"; readonly at: "request" | "reply" }
  /** The process has its answer and has not told it. */
  | { readonly kind: "answer" }
  /** The answer is cut on its way to the client. */
  | { readonly kind: "http" }
  /** Between a relay and the inbox that it sends to. */
  | { readonly kind: "peer"; readonly at: "request" | "reply" | "either" };

export interface Point {
  readonly id: PointId;
  readonly where: PointPlace;
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

/** What is done to the process, or to its connections, at a point. */
export const MODES = ["kill", "stop", "cut", "throw"] as const;
