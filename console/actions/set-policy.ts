import { type PolicyDbRow, selectPolicies, setOperationPolicy } from "@/db/policies/operation-policies";
import { AppError } from "@/domain/errors";
import {
  changedFields,
  parseOverrides,
  type PolicyFinding,
  policyFindings,
  type PolicyOverrides,
  policyOverrides,
} from "@/domain/idempotency/policy";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionOrigin,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { layersOf, type PolicyOwner } from "@/engine/policies/policies";

export interface PolicyChange {
  /** One of the operations that clients call, here or at a service; actions of the console have no policy of their own. */
  readonly operation: string;
  /** All of what the tenant decides otherwise from now on; empty takes everything back to the deployment's policy. */
  readonly overrides: unknown;
  /** The version that was looked at; 0 while nobody decided anything. */
  readonly expectedVersion: number;
}

/**
 * Decides how one operation treats keys for this tenant: checked against the policy that results, kept with its audit entry in
 * one transaction, once per request. Keys that are claimed already keep their windows.
 * @param owners the operations that this deployment runs; those of services are registered
 * @throws AppError `auth.forbidden` 403, `policy.not_found` 404, `validation.policy` 422 with `errors: [{path, message}]`,
 * `policy.version_conflict` 409 when somebody was first
 */
export async function setPolicy(
  ctx: EngineContext,
  owners: readonly PolicyOwner[],
  origin: ActionOrigin,
  change: PolicyChange,
): Promise<ActionResult> {
  const own = owners.find(({ name }) => name === change.operation);
  const owner = own ?? (await serviceOwner(ctx, change.operation));
  if (owner === undefined)
    throw new AppError("policy.not_found", 404, "There is no such operation", { detail: "Nothing was changed." });
  const overrides = understood(change.overrides);
  // What a service was not told it decides by itself: only it knows the whole policy.
  const findings = own ? findingsOf(ctx, own, overrides) : [];
  if (findings.length > 0) throw invalid(findings);
  const request: ActionRequest = {
    ...origin,
    action: "policies.write",
    subject: { type: "policy", id: owner.name },
    input: { overrides: JSON.stringify(overrides), expectedVersion: String(change.expectedVersion) },
  };
  const result = await operatorAction(ctx, request, async (tx) => {
    const row = (await selectPolicies(tx, ctx.tenantId)).find(({ operation }) => operation === owner.name);
    const before = { version: row?.version ?? 0, overrides: row?.overrides ?? {} };
    if (before.version !== change.expectedVersion) throw changedMeanwhile(row);
    if (changedFields(policyOverrides(before.overrides), overrides).length === 0)
      return unchangedOutcome(owner.name, "It is set like that already.", before);
    const version = await setOperationPolicy(tx, {
      tenantId: ctx.tenantId,
      operation: owner.name,
      overrides,
      expectedVersion: change.expectedVersion,
      by: ctx.actor.name,
    });
    if (version === undefined) throw changedMeanwhile(undefined);
    return changedOutcome(before, { version, overrides });
  });
  ctx.policies.forget(ctx.tenantId);
  return result;
}

/** An operation of a service: it reads what was decided here, and follows it. */
async function serviceOwner(ctx: EngineContext, name: string): Promise<PolicyOwner | undefined> {
  return (await ctx.kinds.all()).get(name)?.runsIn === "service" ? { name, policy: {} } : undefined;
}

function findingsOf(ctx: EngineContext, own: PolicyOwner, overrides: PolicyOverrides): readonly PolicyFinding[] {
  const findings = policyFindings(layersOf(ctx.config, own, overrides).policy, ctx.config.providerTimeoutMs);
  return own.onceFor === undefined && overrides.newKey !== undefined ? [...findings, NO_NEW_KEY] : findings;
}

/** A decision that nobody obeys would be a promise that nobody keeps. */
const NO_NEW_KEY = { path: "newKey", message: "newKey cannot be decided here: this operation has no rule for it" };

function understood(value: unknown): PolicyOverrides {
  const parsed = parseOverrides(value);
  if (parsed.ok) return parsed.overrides;
  throw invalid(parsed.findings);
}

function invalid(errors: readonly PolicyFinding[]): AppError {
  return new AppError("validation.policy", 422, "This policy cannot be used", {
    detail: `Nothing was changed. ${errors.map(({ path, message }) => (message.includes(path) ? message : `${path} ${message}`)).join("; ")}.`,
    extensions: { errors },
  });
}

function changedMeanwhile(now: PolicyDbRow | undefined): AppError {
  return new AppError("policy.version_conflict", 409, "This policy is at another version", {
    detail:
      now === undefined
        ? "Nothing was changed. Look again."
        : `Nothing was changed. ${now.updatedBy} made version ${String(now.version)}.`,
    ...(now !== undefined && { extensions: { version: now.version } }),
  });
}
