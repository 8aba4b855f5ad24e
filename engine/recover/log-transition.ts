import type { TakenOver } from "@/db/operations/take-over";
import type { Conclusion } from "../execute/conclude-provider";
import type { EngineContext } from "../context";
import { meters } from "../telemetry/meters";

/** One line for a change of state that no caller of the operation is waiting for: recovery, reconcile, resolve. */
export function logTransition(
  ctx: EngineContext,
  how: "reconciled" | "resolved",
  taken: TakenOver,
  conclusion: Conclusion,
): void {
  const entered = conclusion.state === "UNKNOWN_REQUIRES_RECOVERY" && taken.state !== conclusion.state;
  if (entered) meters.unknownEntered.inc();
  ctx.log.info(
    {
      idempotencyKey: taken.key,
      tenantId: ctx.tenantId,
      operation: taken.operation,
      operationId: taken.operation_id,
      fromState: taken.state,
      toState: conclusion.state,
      errorCode: conclusion.kind === "released" ? conclusion.error.code : undefined,
      finding: conclusion.kind === "unknown" ? conclusion.finding : undefined,
      stage: taken.stage,
      fence: taken.fence,
      by: ctx.actor.kind,
      requestId: ctx.requestId,
    },
    how,
  );
}
