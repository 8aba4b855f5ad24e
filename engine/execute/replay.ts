import type { ClaimRow } from "@/db/operations/claim";
import { operationFacts, type ExecuteAnswer, type StoredResponse } from "./answer";
import type { EngineContext } from "../context";
import { KeyDestroyedError } from "../bodies/data-keys";
import type { BoundOperation, ResourceName } from "./operation";
import { schemaVersionOf } from "./versions";

/**
 * Repeats the answer of a settled operation: its bytes, or the resource as it is now where the policy says so. When there is
 * nothing to repeat any more, the answer names the outcome only; nothing runs again.
 */
export async function replay<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  key: string,
  row: ClaimRow,
): Promise<ExecuteAnswer> {
  const operation = operationFacts(row);
  const byReference = row.replay === "reference";
  const found = byReference ? await represent(ctx, definition, row) : await stored(ctx, definition.name, key, row);
  if (found === undefined || row.response_status === null) {
    const why = row.replay === "none" ? "too_large" : "purged";
    return { outcome: "purged", why, operation, resource: resourceOf(row) };
  }
  return {
    outcome: "replayed",
    operation,
    response: { ...found, status: row.response_status },
    schemaVersion: (byReference ? null : row.response_schema_version) ?? schemaVersionOf(definition, row.api_version),
    by: byReference ? "reference" : "stored",
    errorCode: row.error_code ?? undefined,
  };
}

async function stored(
  ctx: EngineContext,
  operation: string,
  key: string,
  row: ClaimRow,
): Promise<StoredResponse | undefined> {
  if (row.body === null) return undefined;
  try {
    const subject = { tenantId: ctx.tenantId, operation, key, operationId: row.operation_id };
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
  return resource === undefined
    ? undefined
    : definition.represent?.(ctx, resource, row.api_version ?? definition.apiVersion);
}

function resourceOf(row: ClaimRow): ResourceName | undefined {
  return row.resource_type === null || row.resource_id === null
    ? undefined
    : { type: row.resource_type, id: row.resource_id };
}
