import type { ClaimInput } from "@/db/operations/claim";
import { storedCommand, type CanonicalCommand } from "@/domain/idempotency/canonical";
import { AppError } from "@/domain/errors";
import { newId } from "@/domain/new-id";
import { whenThere, type Soon } from "@/domain/soon";
import type { EngineContext } from "../context";
import type { ExecuteRequest } from "./execute-request";
import type { BoundOperation, Subject } from "./operation";
import { argumentsHash, identityHash } from "./published-hash";
import { newestVersion } from "./versions";

const SECONDS_PER_HOUR = 3_600;
/** A window that ends while its caller still retries would make a second effect of a lost answer. */
export const SHORTEST_WINDOW_SECONDS = 60;
const UNKNOWN_RULE_RETRY_SECONDS = 5;

/** By which rule and which version of the API a command is read: the current ones, or those of the row it meets. */
export interface FingerprintForm {
  readonly version: number;
  readonly apiVersion: string;
}

/** @returns the command as the rules of this form see it. */
export function commandOf<C>(definition: BoundOperation<C>, command: C, form: FingerprintForm): CanonicalCommand {
  return {
    operation: definition.name,
    apiVersion: form.apiVersion,
    fields: definition.fields(command, form.apiVersion),
  };
}

/**
 * The claim of one request; the one place that fingerprints and seals a command.
 * @throws AppError `idempotency.fingerprint_unknown` 503 when the row was made by a newer version than this process knows
 */
export function claimInput<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  form: FingerprintForm,
): Soon<ClaimInput> {
  const rule = ctx.fingerprints.canonical.get(form.version);
  // A newer version of the API may have members that this process leaves out: every retry would look like another command.
  if (rule === undefined || form.apiVersion > newestVersion(definition)) throw newerRule();
  const canonicalForm = commandOf(definition, request.command, form);
  const canonical = rule(canonicalForm);
  // Only a conflict in the mesh tells the hash of the first arguments.
  const { operation, apiVersion, fields } = canonicalForm;
  const kept = definition.meshFunction
    ? storedCommand({ operation, apiVersion, fields, argumentsHash: argumentsHash(request.sent) })
    : canonical;
  const operationId = newId();
  const { tenantId, keyring } = ctx;
  const subject = { tenantId, operation, key: request.key, operationId };
  return whenThere(keyring.fingerprint(tenantId, canonical), (fingerprint) =>
    whenThere(keyring.seal(Buffer.from(kept), subject, "command"), (commandSealed) =>
      inputOf(ctx, definition, request, { form, operationId, fingerprint, commandSealed }),
    ),
  );
}

interface PreparedCommand {
  readonly form: FingerprintForm;
  readonly operationId: string;
  readonly fingerprint: Buffer;
  readonly commandSealed: Buffer;
}

function inputOf<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  { form, operationId, fingerprint, commandSealed }: PreparedCommand,
): ClaimInput {
  const { tenantId } = ctx;
  const { key } = request;
  const { policy, name: operation, meshFunction } = definition;
  // What comes from JavaScript may say nothing of it.
  const about = (definition.describe(request.command) as Subject | null | undefined) ?? {};
  // Member by member: a literal that spreads others costs V8 a lookup for each member of each request.
  return {
    tenantId,
    operation,
    key,
    operationId,
    principal: ctx.actor.name,
    fingerprint,
    fingerprintVersion: form.version,
    apiVersion: form.apiVersion,
    identityHash: meshFunction && identityHash(meshFunction, request.key),
    accountId: about.accountId,
    reference: about.reference,
    amountMinor: about.amountMinor,
    currency: about.currency,
    owner: ctx.instance,
    leaseMs: policy.leaseSeconds * 1_000,
    // A caller may ask for a shorter window than the policy's, never for a longer one.
    ttlSeconds: Math.min(
      policy.ttlHours * SECONDS_PER_HOUR,
      Math.max(request.ttlSeconds ?? Infinity, SHORTEST_WINDOW_SECONDS),
    ),
    metadataDays: policy.metadataTtlDays,
    maxAttempts: policy.maxAttempts,
    expired: policy.expired,
    scope: policy.scope,
    commandSealed,
    eventId: definition.path === "local" ? undefined : newId(),
    requestId: ctx.requestId,
    region: ctx.config.region,
  };
}

function newerRule(): AppError {
  return new AppError("idempotency.fingerprint_unknown", 503, "This key was used with a newer version of the service", {
    detail: "Nothing was executed. Retry with the same key: a process of the newer version can compare the commands.",
    retryable: true,
    retryAfter: UNKNOWN_RULE_RETRY_SECONDS,
  });
}
