import {
  selectPolicies,
  selectPolicyChanges,
  type PolicyChangeDbRow,
  type PolicyDbRow,
} from "@/db/policies/operation-policies";
import { readWithin } from "@/db/bounded-read";
import { kindOf, namingOf, type OperationKind } from "@/domain/operation-kind";
import { whyNot } from "@/domain/access/permission";
import { POLICY_FIELDS, type PolicyField, policyFindings, policyOverrides } from "@/domain/idempotency/policy";
import type { OperationPolicyView, PoliciesView, SettingView } from "@/presentation/views/policies";
import type { EngineContext } from "@/engine/context";
import { layersOf, POLICY_CACHE_MS, type PolicyOwner } from "@/engine/policies/policies";
import { requirePermission, roleOf } from "@/engine/actions/require";

const MS_PER_SECOND = 1_000;

/**
 * The policy of each operation, who decided what, and since when.
 * @param owners the operations that this deployment runs; those of services decide by themselves
 * @throws AppError `auth.forbidden` 403
 */
export async function readPolicies(ctx: EngineContext, owners: readonly PolicyOwner[]): Promise<PoliciesView> {
  requirePermission(ctx, "policies.read");
  const kinds = await ctx.kinds.all();
  const names = owners.map(({ name }) => name);
  const read = await readWithin(ctx.db, "list", async (q) => ({
    rows: await selectPolicies(q, ctx.tenantId),
    changes: await selectPolicyChanges(q, ctx.tenantId, names),
  }));
  const because = whyNot(roleOf(ctx), "policies.write");
  return {
    at: new Date().toISOString(),
    providerTimeoutMs: ctx.config.providerTimeoutMs,
    everywhereAfterSeconds: Math.ceil(POLICY_CACHE_MS / MS_PER_SECOND),
    change: { allowed: because === undefined, whyNot: because },
    operations: owners.map((owner) =>
      operationView(
        ctx,
        { ...owner, about: kindOf(kinds, owner.name) },
        read.rows.find(({ operation }) => operation === owner.name),
        read.changes.filter(({ operation }) => operation === owner.name),
      ),
    ),
    elsewhere: [...kinds.values()]
      .filter(({ runsIn }) => runsIn === "service")
      .map((kind) => elsewhereView(ctx, kind, read.rows)),
  };
}

function elsewhereView(
  ctx: EngineContext,
  kind: OperationKind,
  rows: readonly PolicyDbRow[],
): PoliciesView["elsewhere"][number] {
  const row = rows.find(({ operation }) => operation === kind.name);
  const overrides = policyOverrides(row?.overrides ?? {});
  const { bodyTtlHours = ctx.config.bodyTtlHours } = overrides;
  return {
    ...{ operation: kind.name, ...namingOf(kind), owner: kind.owner },
    ...{ bodyTtlHours, overrides, version: row?.version ?? 0 },
  };
}

function operationView(
  ctx: EngineContext,
  { about, ...owner }: PolicyOwner & { readonly about: OperationKind },
  row: PolicyDbRow | undefined,
  changes: readonly PolicyChangeDbRow[],
): OperationPolicyView {
  const overrides = policyOverrides(row?.overrides ?? {});
  const held = layersOf(ctx.config, owner, overrides);
  const inherited = layersOf(ctx.config, owner, {});
  return {
    operation: owner.name,
    ...namingOf(about),
    money: about.expects.money,
    provider: about.path === "provider",
    onceFor: owner.onceFor,
    policy: held.policy,
    inherited: inherited.policy,
    overrides,
    version: row?.version ?? 0,
    changedAt: row?.updatedAt,
    changedBy: row?.updatedBy,
    findings: policyFindings(held.policy, ctx.config.providerTimeoutMs),
    settings: POLICY_FIELDS.map((field): SettingView => {
      const from = held.from[field];
      const change = from === "tenant" ? madeBy(field, changes) : undefined;
      const [value, inheritedFrom] = [held.policy[field], inherited.from[field]];
      return { field, value, from, inheritedFrom, since: change?.at, by: change?.by };
    }),
  };
}

/** @param changes newest first @returns the change that gave this field its value, as far as they go back */
function madeBy(field: PolicyField, changes: readonly PolicyChangeDbRow[]) {
  return changes.find(({ before, after }) => before?.overrides?.[field] !== after?.overrides?.[field]);
}
