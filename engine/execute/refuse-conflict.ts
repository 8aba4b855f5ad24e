import type { ClaimRow } from "@/db/operations/claim";
import { recordEvents } from "@/db/operations/record-events";
import {
  canonicalCommand,
  differingFields,
  parseCanonicalCommand,
  type CanonicalCommand,
} from "@/domain/idempotency/canonical";
import { operationFacts, type ExecuteAnswer } from "./answer";
import { answerEvent } from "./answer-event";
import { commandOf, type FingerprintForm } from "./claim-input";
import type { EngineContext } from "../context";
import type { ExecuteRequest } from "./execute-request";
import type { BoundOperation } from "./operation";
import { PAYLOAD_HASH_CHARS } from "@/domain/idempotency/fingerprint-rules";

/**
 * Evidence of a conflict is written at once, with the other command sealed beside it.
 * @param fingerprint of the command as it came
 */
export async function refuseConflict<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  form: FingerprintForm,
  row: ClaimRow,
  fingerprint: Buffer,
): Promise<ExecuteAnswer> {
  const command = commandOf(definition, request.command, form);
  const operation = definition.name;
  const subject = { tenantId: ctx.tenantId, operation, key: request.key, operationId: row.operation_id };
  const fields = row.foreign_principal ? [] : await differing(ctx, row, subject, command);
  const event = answerEvent(ctx, row, request, {
    operation,
    outcome: "conflict",
    status: definition.policy.mismatchStatus,
    code: "idempotency.payload_mismatch",
    detail: {
      differingFields: fields,
      foreignPrincipal: row.foreign_principal,
      // Keyed, as in the log: two conflicts of one other command can be seen to be the same.
      payloadHash: fingerprint.toString("hex").slice(0, PAYLOAD_HASH_CHARS),
      ...(request.shape && { shape: request.shape() }),
    },
  });
  const commandSealed = await ctx.keyring.seal(Buffer.from(canonicalCommand(command)), subject, `conflict:${event.id}`);
  await recordEvents(ctx.db.pool, [{ ...event, commandSealed }]);
  ctx.log.warn(
    { operationId: row.operation_id, operation, differingFields: fields },
    "key reused with another command",
  );
  return {
    outcome: "conflict",
    operation: row.foreign_principal ? undefined : operationFacts(row),
    differingFields: fields,
    originalFingerprint: row.foreign_principal ? undefined : (row.fingerprint ?? undefined),
  };
}

/** Names only. `unknown` when the first command was purged, or kept by a service that keeps it to itself. */
async function differing(
  ctx: EngineContext,
  row: ClaimRow,
  subject: Parameters<EngineContext["keyring"]["open"]>[1],
  command: CanonicalCommand,
): Promise<string[]> {
  if (row.command === null) return ["unknown"];
  try {
    const first = parseCanonicalCommand((await ctx.keyring.open(row.command, subject, "command")).toString());
    return differingFields(first, command);
  } catch (error) {
    ctx.log.warn({ err: error, operationId: row.operation_id }, "the first command of a conflict could not be opened");
    return ["unknown"];
  }
}
