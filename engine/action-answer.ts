import type { Queryable } from "@/db/client";
import type { Action } from "@/domain/permission";

/** What an action did, before it is written down. `before` and `after` are facts, never bodies or secrets. */
export interface ActionOutcome {
  readonly changed: boolean;
  /** Things that it changed. */
  readonly affected: number;
  /** What it left alone, and why. */
  readonly skipped: readonly { readonly id: string; readonly why: string }[];
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly evidence?: unknown;
  /** What it was about, when that was made by the action itself; otherwise the subject of the request. */
  readonly subject?: { readonly type: string; readonly id: string } | undefined;
}

/** What the caller is told, now and on every replay. */
export interface ActionAnswer extends Omit<ActionOutcome, "evidence"> {
  readonly action: Action;
  readonly auditId: string;
}

export interface ActionRequest {
  /** Also the permission that it needs. */
  readonly action: Action;
  /** The parsed `Idempotency-Key` of this click. */
  readonly idempotencyKey: string;
  /** What distinguishes this action from another one under the same key; texts only. */
  readonly input: Readonly<Record<string, string | null>>;
  readonly subject: { readonly type: string; readonly id: string };
  readonly reason?: string | undefined;
  /** `performance.now()` when the request arrived. */
  readonly receivedAt: number;
}

export interface ActionResult {
  /** A second click: nothing ran, this is the first answer. */
  readonly replayed: boolean;
  readonly operationId: string;
  readonly answer: ActionAnswer;
  /** The answer as it is kept, JSON in UTF-8. */
  readonly body: Buffer;
}

/** Settles an action: its effect, its audit entry and its answer commit together. */
export type Finish = (tx: Queryable, outcome: ActionOutcome) => Promise<void>;
