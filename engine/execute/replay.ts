import type { ClaimRow } from "@/db/operations/claim";
import { operationFacts, type ExecuteAnswer, type StoredResponse } from "./answer";
import { isLater, whenThere, type Soon } from "@/domain/soon";
import type { EngineContext } from "../context";
import { KeyDestroyedError } from "../bodies/data-keys";
import type { BoundOperation, ResourceName } from "./operation";
import { schemaVersionOf } from "./versions";

/**
 * Repeats the answer of a settled operation: its bytes, or the resource as it is now where the policy says so. When there is
 * nothing to repeat any more, the answer names the outcome only; nothing runs again.
 */
export function replay<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  key: string,
  row: ClaimRow,
): Soon<ExecuteAnswer> {
  const found = row.replay === "reference" ? represent(ctx, definition, row) : stored(ctx, definition.name, key, row);
  return whenThere(found, (response) => replayed(definition, row, response));
}

function replayed<C>(definition: BoundOperation<C>, row: ClaimRow, found: StoredResponse | undefined): ExecuteAnswer {
  const operation = operationFacts(row);
  const byReference = row.replay === "reference";
  if (found === undefined || row.response_status === null) {
    const why = row.replay === "none" ? "too_large" : "purged";
    return { outcome: "purged", why, operation, resource: resourceOf(row) };
  }
  return {
    outcome: "replayed",
    operation,
    // What represents a resource may come from JavaScript, and have none.
    response: {
      status: row.response_status,
      headers: Object.assign({}, found.headers),
      body: found.body,
    },
    schemaVersion: (byReference ? null : row.response_schema_version) ?? schemaVersionOf(definition, row.api_version),
    by: byReference ? "reference" : "stored",
    errorCode: row.error_code ?? undefined,
  };
}

function stored(ctx: EngineContext, operation: string, key: string, row: ClaimRow): Soon<StoredResponse | undefined> {
  if (row.body === null) return undefined;
  const subject = { tenantId: ctx.tenantId, operation, key, operationId: row.operation_id };
  const body = ctx.keyring.open(row.body, subject, "response");
  return isLater(body)
    ? body.then((opened) => storedResponse(row, opened), purgedWithItsKey)
    : storedResponse(row, body);
}

function storedResponse(row: ClaimRow, body: Buffer): StoredResponse {
  return { status: row.response_status ?? 0, headers: row.headers ?? {}, body };
}

/** Its day was shredded before the row was purged: the same as purged. A key that is destroyed is never there at once. */
function purgedWithItsKey(error: unknown): undefined {
  if (error instanceof KeyDestroyedError) return undefined;
  throw error;
}

function represent<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  row: ClaimRow,
): Soon<StoredResponse | undefined> {
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
