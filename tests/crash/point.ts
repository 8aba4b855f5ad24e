import type { CrashPoint } from "@/engine/crash-point";

/** What is done to the process, or to its connections, at a point. */
export const MODES = ["kill", "stop", "cut", "throw"] as const;
export type Mode = (typeof MODES)[number];

/** Those that are lines of our code, those at a statement, and those on the wire. */
export type PointId =
  | CrashPoint
  | `B${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  | `C${2 | 5 | 6 | 7 | 8 | 9 | 10}`
  | `P${3 | 4 | 6 | 8}`
  | `R${3 | 7}`
  | `O${4 | 7}`
  | `I${3 | 7 | 8 | 9}`;

/** Where a point is met: a line of our code, the edge of a statement, or a message on the wire. */
export type PointPlace =
  | { readonly kind: "code" }
  | { readonly kind: "seam"; readonly when: "before" | "after"; readonly statements: readonly string[] }
  /** The answer to a statement is lost, or the statement itself; `after` names one that came before it on the connection. */
  | { readonly kind: "database"; readonly statement: string; readonly after?: string }
  | { readonly kind: "provider"; readonly request: "POST" | "GET"; readonly at: "request" | "reply" }
  /** The process has its answer and has not sent it. */
  | { readonly kind: "answer" }
  /** The answer is cut on its way to the client. */
  | { readonly kind: "http" }
  /** Between a relay and the inbox that it sends to. */
  | { readonly kind: "peer"; readonly at: "request" | "reply" | "either" };

interface PlaceAndModes {
  readonly where: PointPlace;
  readonly modes: readonly Mode[];
}

export interface PointBase extends PlaceAndModes {
  readonly id: PointId;
  readonly moment: string;
  /** What the runs at this point show, in words; the oracles are the judge. */
  readonly proves: string;
}

export interface Point extends PointBase {
  readonly operations: readonly OperationName[];
  /** Who is at work: the first caller, or recovery of what a first caller left. */
  readonly actor: "caller" | "recovery";
  /** Faults of the provider under which the point is still reached. */
  readonly faults: readonly Fault[];
  /** Callers of other keys come at the same moment. */
  readonly together?: boolean;
  /** For recovery: what the provider must have of the first try. */
  readonly left?: "found" | "absent" | "any";
}

/** Whose process is hit: who sends, who records what arrives, who handles it, an operator's, an approver's, or the relay of mails. */
export type ProcessRole = "relay" | "receiver" | "consumer" | "operator" | "approver" | "mailer";

/** A point on the way of a message from the outbox to the last consumer's effect. */
export interface MessagePoint extends PointBase {
  readonly actor: "message";
  readonly roles: readonly ProcessRole[];
  /** Messages that their consumer cannot handle: until a later attempt, or for ever. */
  readonly trouble?: "passes" | "stays";
}

/** Of the sandbox provider, each at rate 1 (`slow_ms` in milliseconds); see payments/sandbox/faults.ts. */
export const ALL_FAULTS = [
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
] as const;
export type Fault = (typeof ALL_FAULTS)[number];

export const IN_CODE: PlaceAndModes = { where: { kind: "code" }, modes: MODES };

export function atSeam(when: "before" | "after", ...statements: readonly string[]): PlaceAndModes {
  return { where: { kind: "seam", when, statements }, modes: MODES };
}

/** Nothing of ours runs there that could throw. */
export function onWire(where: PointPlace): PlaceAndModes {
  return { where, modes: ["kill", "stop", "cut"] };
}

type PointRow<Of> = readonly [at: PlaceAndModes, moment: string, proves: string, own?: Partial<Of>];

/** @returns points by their rows; `common` is what all of them have unless a row says otherwise */
export function pointsOf<Of extends PointBase>(
  common: Omit<Of, keyof PointBase>,
  rows: Readonly<Partial<Record<PointId, PointRow<Of>>>>,
): Of[] {
  return Object.entries(rows).map(
    ([id, [at, moment, proves, own]]) => ({ id, ...at, ...common, moment, proves, ...own }) as Of,
  );
}

/** Commands of the example business; `account` is the local path, the others cross to the provider. */
export const CRASH_OPERATIONS = ["payment", "refund", "void", "account"] as const;

export type OperationName = (typeof CRASH_OPERATIONS)[number];
