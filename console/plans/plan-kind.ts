import type { Queryable } from "@/db/client";
import type { NewPlanItem } from "@/db/plans/create-plan";
import type { OperationScope } from "@/presentation/filters/plan-scope";
import type { PlanItemState, PlanKindName } from "@/domain/plans/plan";
import type { AuditEntry } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import type { OperationRegistry } from "@/engine/execute/operation";
import type { DeadLetterScope, PublishedScope } from "@/domain/lists/filters";

/** Which rows a plan freezes: all of a filter of dead letters, of operations or of published messages, or those named one by one. */
export type FrozenScope =
  | { readonly by: "filter"; readonly filter: DeadLetterScope }
  | { readonly by: "operations"; readonly filter: OperationScope }
  | { readonly by: "published"; readonly filter: PublishedScope }
  | { readonly by: "attached"; readonly filter: AttachedScope }
  | { readonly by: "ids"; readonly ids: readonly string[] };

/** Dead rows of an attachment: those that are named, or the newest of a type or of an error. Or its finished rows, by their age. */
export interface AttachedScope {
  /** uuid */
  readonly attachment: string;
  readonly rows?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly error?: string | undefined;
  /** An error as the list groups it: its type and the first line of its text. */
  readonly group?: string | undefined;
  /** Of a purge: rows from before, RFC 3339. */
  readonly before?: string | undefined;
}
/** Or those that another plan left. */
export type PlanScope = FrozenScope | { readonly by: "rerun"; readonly of: string };

/** For whom a row acts: the person who started the plan, named where the act is kept. */
export interface PlanActor {
  readonly planId: string;
  readonly startedBy: string;
  readonly reason: string;
}

export interface ItemOutcome {
  readonly state: Exclude<PlanItemState, "waiting">;
  readonly outcome: string;
  /** When it changed something. */
  readonly audit?: AuditEntry | undefined;
  /** A message is on its way by it: what becomes of it says how others would fare. */
  readonly sent?: boolean | undefined;
}

/**
 * What one kind of bulk work is. It judges twice by the same rule: all rows when they are frozen, each row again when it acts,
 * inside the transaction in which the row also ends.
 */
export interface PlanKind extends FreezingKind {
  /** @throws AppError retryable: the row waits for another turn; anything else fails it */
  act(tx: Queryable, ctx: EngineContext, actor: PlanActor, targetId: string): Promise<ItemOutcome>;
}

/** A kind whose row calls somebody else, so that no transaction is open meanwhile. */
export interface PlanKindAlone extends FreezingKind {
  /**
   * @param end ends the row, in the transaction that settles what it acts on; throws when the plan is somebody else's by now
   * @returns how the row ends where `end` was not called; undefined: not now, it waits for another turn
   * @throws AppError retryable: the row waits for another turn; anything else fails it
   */
  actAlone(
    ctx: EngineContext,
    registry: OperationRegistry,
    actor: PlanActor,
    targetId: string,
    end: (tx: Queryable, outcome: ItemOutcome) => Promise<void>,
  ): Promise<ItemOutcome | undefined>;
}

interface FreezingKind {
  readonly name: PlanKindName;
  /**
   * The rows of a filter or of named ids with their verdicts, at most `limit`, one statement per some hundred of them.
   * @returns more than PLAN_MAX_ITEMS when there are more: the plan is then refused
   */
  freeze(q: Queryable, ctx: EngineContext, scope: FrozenScope, limit: number): Promise<readonly NewPlanItem[]>;
}
