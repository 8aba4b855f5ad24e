import type { Queryable } from "@/db/client";
import {
  type Settler,
  type Settlers,
  settlersOfLetters,
  settlersOfMessages,
  settlersOfOperations,
} from "@/db/plans/select-settlers";
import { isAttachedKind, type PlanKindName } from "@/domain/plans/plan";
import type { EngineContext } from "@/engine/context";
import { aboutOperations } from "@/presentation/plan/plan-words";

/** @returns who settled what these rows are about; what is open is left out */
export function settlersOf(
  q: Queryable,
  { tenantId }: Pick<EngineContext, "tenantId">,
  kind: PlanKindName,
  ids: readonly string[],
): Promise<Settlers> {
  // Who settled a row of another database is known there, if at all.
  if (isAttachedKind(kind)) return Promise.resolve(new Map());
  if (kind === "republish_messages") return settlersOfMessages(q, tenantId, ids);
  if (!aboutOperations(kind)) return settlersOfLetters(q, tenantId, ids);
  return settlersOfOperations(q, tenantId, ids, kind === "purge_bodies" ? "bodies" : "outcome");
}

/** "by Ada", "by a plan of Ada", "automatically". */
export function settlerWords({ by, byPlan }: Settler): string {
  if (by === undefined) return "automatically";
  return byPlan ? `by a plan of ${by}` : `by ${by}`;
}
