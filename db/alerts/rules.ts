import type { Queryable } from "@/db/client";
import type { AlertCondition, AlertSetting } from "@/domain/alerts/rules";

export interface DecidedRule extends AlertSetting {
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

interface RuleRow {
  readonly condition: AlertCondition;
  readonly enabled: boolean;
  readonly threshold: string;
  readonly amounts: Readonly<Record<string, string>>;
  readonly updated_at: Date;
  readonly updated_by: string;
}

/** What a tenant decided: one row a condition at most. */
export async function selectAlertRules(q: Queryable, tenantId: string): Promise<readonly DecidedRule[]> {
  const { rows } = await q.query<RuleRow>({
    name: "alert_rules",
    text: `select condition, enabled, threshold::text as threshold, amounts, updated_at, updated_by
           from onceboard.alert_rules where tenant_id = $1`,
    values: [tenantId],
  });
  return rows.map(({ condition, enabled, threshold, amounts, ...row }) => ({
    condition,
    enabled,
    limit: BigInt(threshold),
    amounts: Object.fromEntries(Object.entries(amounts).map(([currency, minor]) => [currency, BigInt(minor)])),
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  }));
}

/** Keeps a decision in the place of the one before. @param by name of who decided */
export async function saveAlertRule(tx: Queryable, tenantId: string, rule: AlertSetting, by: string): Promise<void> {
  const amounts = Object.fromEntries(
    Object.entries(rule.amounts).map(([currency, minor]) => [currency, minor.toString()]),
  );
  await tx.query({
    text: `insert into onceboard.alert_rules (tenant_id, condition, enabled, threshold, amounts, updated_at, updated_by)
           values ($1, $2, $3, $4, $5::jsonb, clock_timestamp(), $6)
           on conflict (tenant_id, condition) do update set enabled = excluded.enabled, threshold = excluded.threshold,
             amounts = excluded.amounts, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
    values: [tenantId, rule.condition, rule.enabled, rule.limit.toString(), JSON.stringify(amounts), by],
  });
}
