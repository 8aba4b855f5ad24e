import type { ClaimRow } from "@/db/operations/claim";
import type { Answer, StoredResponse } from "./answer";
import { answerEvent } from "./answer-event";
import type { EngineContext } from "../context";
import { KeyDestroyedError } from "../bodies/data-keys";
import type { ExecuteRequest } from "./execute";
import { factsOf } from "./facts";
import type { BoundOperation, ResourceName } from "./operation";

const GONE = 410;

/**
 * Repeats the answer of a settled operation: its bytes, or the resource as it is now where the policy says so.
 * When there is nothing to repeat any more, the outcome is told by reference; nothing runs again.
 */
export async function replay<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Promise<Answer> {
  const operation = factsOf(row);
  const found =
    row.replay === "reference" ? await represent(ctx, definition, row) : await stored(ctx, definition, request, row);
  if (found === undefined || row.response_status === null) {
    const why = row.replay === "none" ? "too_large" : "purged";
    const code = why === "purged" ? "idempotency.response_purged" : "idempotency.response_too_large";
    const event = { operation: definition.name, outcome: "replayed", status: GONE, code } as const;
    ctx.answers.add(answerEvent(ctx, row, request, event));
    return { outcome: "purged", why, operation, resource: resourceOf(row) };
  }
  const byReference = row.replay === "reference";
  ctx.answers.add(
    answerEvent(ctx, row, request, {
      operation: definition.name,
      outcome: "replayed",
      status: row.response_status,
      code: row.error_code ?? undefined,
      body: found.body,
      detail: byReference ? { by: "reference" } : undefined,
    }),
  );
  return {
    outcome: "replayed",
    operation,
    response: { ...found, status: row.response_status },
    schemaVersion: byReference ? definition.schemaVersion : (row.response_schema_version ?? definition.schemaVersion),
    by: byReference ? "reference" : "stored",
  };
}

async function stored<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Promise<StoredResponse | undefined> {
  if (row.body === null) return undefined;
  try {
    const subject = {
      tenantId: ctx.tenantId,
      operation: definition.name,
      key: request.key,
      operationId: row.operation_id,
    };
    const body = await ctx.keyring.open(row.body, subject, "response");
    return { status: row.response_status ?? 0, headers: row.headers ?? {}, body };
  } catch (error) {
    // Its day was shredded before the row was purged: the same as purged.
    if (error instanceof KeyDestroyedError) return undefined;
    throw error;
  }
}

async function represent<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  row: ClaimRow,
): Promise<StoredResponse | undefined> {
  const resource = resourceOf(row);
  return resource === undefined ? undefined : definition.represent?.(ctx, resource);
}

function resourceOf(row: ClaimRow): ResourceName | undefined {
  return row.resource_type === null || row.resource_id === null
    ? undefined
    : { type: row.resource_type, id: row.resource_id };
}
