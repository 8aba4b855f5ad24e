import type { ClaimRow } from "@/db/operations/claim";
import { recordEventTogether } from "@/db/operations/record-events";
import {
  canonicalCommand,
  differingFields,
  parseCanonicalCommand,
  type StoredCommand,
} from "@/domain/idempotency/canonical";
import { newId } from "@/domain/new-id";
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
  const first = row.foreign_principal ? undefined : await firstCommand(ctx, row, subject);
  // Names only.
  const unknown = row.foreign_principal ? [] : ["unknown"];
  const fields = first === undefined ? unknown : differingFields(first, command);
  const eventId = newId();
  const sealed = await ctx.keyring.seal(Buffer.from(canonicalCommand(command)), subject, `conflict:${eventId}`);
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
      shape: request.shape?.(),
    },
    sealed: { id: eventId, command: sealed },
  });
  await recordEventTogether(ctx.db, event);
  ctx.log.warn(
    { operationId: row.operation_id, operation, differingFields: fields },
    "key reused with another command",
  );
  return {
    outcome: "conflict",
    operation: row.foreign_principal ? undefined : operationFacts(row),
    differingFields: fields,
    originalArgumentsHash: first?.argumentsHash,
  };
}

/** @returns undefined when the first command was purged, or kept by a service that keeps it to itself. */
async function firstCommand(
  ctx: EngineContext,
  row: ClaimRow,
  subject: Parameters<EngineContext["keyring"]["open"]>[1],
): Promise<StoredCommand | undefined> {
  if (row.command === null) return undefined;
  try {
    return parseCanonicalCommand((await ctx.keyring.open(row.command, subject, "command")).toString());
  } catch (error) {
    ctx.log.warn({ err: error, operationId: row.operation_id }, "the first command of a conflict could not be opened");
    return undefined;
  }
}
