import { claim, type ClaimInput, type ClaimRow } from "@/db/statements/claim";
import {
  canonicalCommand,
  differingFields,
  FINGERPRINT_VERSION,
  parseCanonicalCommand,
  type CanonicalCommand,
} from "@/domain/canonical";
import { AppError } from "@/domain/errors";
import { databaseErrorCode, mapDatabaseError } from "@/db/errors";
import { recordEvents } from "@/db/statements/record-events";
import { v7 as uuidv7 } from "uuid";
import type { Answer } from "./answer";
import { answerEvent } from "./answer-event";
import { bodyBinding } from "./body-keyring";
import type { EngineContext } from "./context";
import { executeLocal } from "./execute-local";
import { executeProvider } from "./execute-provider";
import type { OperationDefinition } from "./operation";
import { factsOf } from "./facts";
import { recoverBeforeAnswer } from "./recover-before-answer";

const LOCK_NOT_AVAILABLE = "55P03";

export interface ExecuteRequest<C> {
  /** The parsed idempotency key, 1–255 visible ASCII. */
  readonly key: string;
  /** The validated command, defaults applied. */
  readonly command: C;
  /** `performance.now()` when the request arrived. */
  readonly receivedAt: number;
  /** How the command was written (member order, notation of the amount), for the conflicts page; never values. */
  readonly shape?: Readonly<Record<string, unknown>>;
}

/**
 * Runs an operation once per key, or tells what the key already stands for (S1.1, S4.1).
 *
 * @returns what to answer; never throws for a decision about the key
 * @throws AppError `dependency.unavailable` when the database is away: nothing was claimed or the claim is left to recovery
 */
export async function execute<C>(
  ctx: EngineContext,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
): Promise<Answer> {
  const command: CanonicalCommand = {
    operation: definition.name,
    apiVersion: definition.apiVersion,
    fields: definition.fields(request.command),
  };
  const input = claimInput(ctx, definition, request, command);
  try {
    if (definition.path === "local") {
      const result = await executeLocal(ctx, definition, request, input);
      return result.kind === "answer"
        ? result.answer
        : await answerExisting(ctx, definition, request, command, result.row);
    }
    const row = await claim(ctx.db.pool, input);
    if (row.outcome === "claimed") return await executeProvider(ctx, definition, request, row);
    return await answerExisting(ctx, definition, request, command, row);
  } catch (error) {
    // Another first request of this key is not committed yet and we waited long enough (C13).
    const cause = error instanceof AppError ? error.cause : error;
    if (databaseErrorCode(cause) === LOCK_NOT_AVAILABLE)
      return { outcome: "in_progress", operation: undefined, retryAfterSeconds: 1 };
    throw mapDatabaseError(error);
  }
}

/** @returns the claim of one request; the one place that fingerprints and seals a command. */
export function claimInput<C>(
  ctx: EngineContext,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
  command: CanonicalCommand,
): ClaimInput {
  const canonical = canonicalCommand(command);
  const operationId = uuidv7();
  return {
    tenantId: ctx.tenantId,
    operation: definition.name,
    key: request.key,
    operationId,
    principal: ctx.actor.name,
    fingerprint: ctx.keyring.fingerprint(ctx.tenantId, canonical),
    fingerprintVersion: FINGERPRINT_VERSION,
    apiVersion: definition.apiVersion,
    accountId: undefined,
    reference: undefined,
    amountMinor: undefined,
    currency: undefined,
    ...definition.describe(request.command),
    owner: ctx.instance,
    leaseMs: ctx.config.leaseSeconds * 1_000,
    ttlHours: ctx.config.idempotencyTtlHours,
    metadataDays: ctx.config.metadataTtlDays,
    maxAttempts: definition.policy.maxAttempts,
    commandSealed: ctx.keyring.seal(Buffer.from(canonical), bodyBinding(ctx.tenantId, operationId, "command")),
    eventId: definition.path === "local" ? undefined : uuidv7(),
    requestId: ctx.requestId,
  };
}

/** The line that decides a replay: everything that is not a claim is answered from what the key already stands for. */
async function answerExisting<C>(
  ctx: EngineContext,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
  command: CanonicalCommand,
  row: ClaimRow,
): Promise<Answer> {
  const operation = factsOf(row);
  switch (row.outcome) {
    case "replay":
      return replay(ctx, definition, request, row);
    case "conflict":
      return conflict(ctx, definition, request, command, row);
    case "in_progress": {
      const left = Math.ceil(((row.locked_until?.getTime() ?? 0) - row.asked_at.getTime()) / 1_000);
      ctx.answers.add(
        answerEvent(ctx, row, request, {
          operation: definition.name,
          outcome: "in_progress",
          status: 409,
          code: "idempotency.in_progress",
        }),
      );
      const retryAfterSeconds = Math.max(1, Math.min(left, definition.policy.inProgressRetryAfter));
      return { outcome: "in_progress", operation, retryAfterSeconds };
    }
    case "stale":
      return recoverBeforeAnswer(ctx, definition, request, row);
    case "unknown":
      ctx.answers.add(
        answerEvent(ctx, row, request, {
          operation: definition.name,
          outcome: "unknown",
          status: 409,
          code: "idempotency.outcome_unknown",
        }),
      );
      return { outcome: "unknown", operation, retryAfterSeconds: definition.policy.unknownRetryAfter };
    case "expired":
      ctx.answers.add(
        answerEvent(ctx, row, request, {
          operation: definition.name,
          outcome: "expired_retry",
          status: 410,
          code: "idempotency.key_expired",
        }),
      );
      return { outcome: "expired", operation };
    case "exhausted":
      ctx.answers.add(
        answerEvent(ctx, row, request, {
          operation: definition.name,
          outcome: "failed",
          status: 409,
          code: "idempotency.attempts_exhausted",
        }),
      );
      return {
        outcome: "refused",
        operation,
        error: new AppError("idempotency.attempts_exhausted", 409, "This key failed too often", {
          detail: "Nothing took effect in any of its attempts, so a new key is safe.",
          extensions: { safeNewKey: true },
        }),
      };
    case "claimed":
      throw new Error("a claimed operation must be executed, not answered");
  }
}

function replay<C>(
  ctx: EngineContext,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Answer {
  const operation = factsOf(row);
  if (row.body === null || row.response_status === null) {
    ctx.answers.add(
      answerEvent(ctx, row, request, {
        operation: definition.name,
        outcome: "replayed",
        status: 410,
        code: "idempotency.response_purged",
      }),
    );
    const resource =
      row.resource_type !== null && row.resource_id !== null
        ? { type: row.resource_type, id: row.resource_id }
        : undefined;
    return { outcome: "purged", operation, resource };
  }
  const body = ctx.keyring.open(row.body, bodyBinding(ctx.tenantId, row.operation_id, "response"));
  ctx.answers.add(
    answerEvent(ctx, row, request, {
      operation: definition.name,
      outcome: "replayed",
      status: row.response_status,
      code: row.error_code ?? undefined,
      body,
    }),
  );
  return {
    outcome: "replayed",
    operation,
    response: { status: row.response_status, headers: row.headers ?? {}, body },
  };
}

/** Evidence of a conflict is written at once, with the other command sealed beside it (S4.3, DESIGN §2.3). */
async function conflict<C>(
  ctx: EngineContext,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
  command: CanonicalCommand,
  row: ClaimRow,
): Promise<Answer> {
  const first =
    row.command === null
      ? undefined
      : parseCanonicalCommand(
          ctx.keyring.open(row.command, bodyBinding(ctx.tenantId, row.operation_id, "command")).toString(),
        );
  const fields = row.foreign_principal ? [] : first === undefined ? ["unknown"] : differingFields(first, command);
  const event = answerEvent(ctx, row, request, {
    operation: definition.name,
    outcome: "conflict",
    status: definition.policy.mismatchStatus,
    code: "idempotency.payload_mismatch",
    detail: {
      differingFields: fields,
      foreignPrincipal: row.foreign_principal,
      ...(request.shape && { shape: request.shape }),
    },
  });
  const commandSealed = ctx.keyring.seal(
    Buffer.from(canonicalCommand(command)),
    bodyBinding(ctx.tenantId, row.operation_id, `conflict:${event.id}`),
  );
  await recordEvents(ctx.db.pool, [{ ...event, commandSealed }]);
  ctx.log.warn(
    { operationId: row.operation_id, operation: definition.name, differingFields: fields },
    "key reused with another command",
  );
  return { outcome: "conflict", operation: row.foreign_principal ? undefined : factsOf(row), differingFields: fields };
}
