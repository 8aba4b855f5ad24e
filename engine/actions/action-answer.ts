import type { Queryable } from "@/db/client";
import type { Action } from "@/domain/access/permission";
import type { OperatorAction } from "@/domain/operation-kind";

/** What an action did, before it is written down. `before` and `after` are facts, never bodies or secrets. */
export interface ActionOutcome {
  readonly changed: boolean;
  /** Things that it changed. */
  readonly affected: number;
  /** What it left alone, and why. */
  readonly skipped: readonly { readonly id: string; readonly why: string }[];
  readonly before: ActionFacts;
  readonly after: ActionFacts;
  readonly evidence?: unknown;
  /** What is left to somebody else to do: a service was asked, and nothing is settled yet. */
  readonly request?: ServiceRequestRef | undefined;
  /** What it was about, when that was made by the action itself; otherwise the subject of the request. */
  readonly subject?: { readonly type: string; readonly id: string } | undefined;
}

/** A request to the service that owns an operation, as it was recorded. */
export interface ServiceRequestRef {
  readonly id: string;
  readonly service: string;
  readonly action: OperatorAction;
  readonly state: "open";
}

export type ActionFacts = Readonly<Record<string, unknown>>;

export function changedOutcome(before: ActionFacts, after: ActionFacts, affected = 1): ActionOutcome {
  return { changed: true, affected, skipped: [], before, after };
}

/** @param facts what it was and still is */
export function unchangedOutcome(id: string, why: string, facts: ActionFacts): ActionOutcome {
  return { changed: false, affected: 0, skipped: [{ id, why }], before: facts, after: facts };
}

/** What the caller gets, now and on every replay. */
export interface ActionAnswer extends Omit<ActionOutcome, "evidence"> {
  readonly action: Action;
  readonly auditId: string;
}

export interface ActionRequest {
  /** Also the permission that it needs. */
  readonly action: Action;
  /** The parsed `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /** What distinguishes this action from another one under the same key; texts only. */
  readonly input: Readonly<Record<string, string | null>>;
  readonly subject: { readonly type: string; readonly id: string };
  readonly reason?: string | undefined;
  /** `performance.now()` when the request arrived. */
  readonly receivedAt: number;
}

/** Under which key an action was requested, when and why; what it is about is the verb's to say. */
export type ActionOrigin = Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">;

export interface ActionResult {
  /** Nothing ran, this is the first answer. */
  readonly replayed: boolean;
  readonly operationId: string;
  readonly answer: ActionAnswer;
}

/** Settles an action: its effect, its audit entry and its answer commit together. */
export type Finish = (tx: Queryable, outcome: ActionOutcome) => Promise<void>;
