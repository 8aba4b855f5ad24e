import { saveAlertRule, selectAlertRules } from "@/db/alerts/rules";
import { amountsText, allRules, type AlertCondition, type AlertSetting } from "@/domain/alerts/rules";
import { changedOutcome, unchangedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";

/** What of a rule somebody decides; what is undefined stays as it is. */
export interface RuleChange {
  readonly enabled: boolean;
  readonly limit?: bigint | undefined;
  readonly amounts?: AlertSetting["amounts"] | undefined;
}

/**
 * Changes what is alerted of one condition in this tenant. An alert that is open and not watched any more is told as turned off.
 * @throws AppError `auth.forbidden` 403
 */
export function changeRule(
  ctx: EngineContext,
  origin: ActionOrigin,
  condition: AlertCondition,
  { enabled, limit, amounts }: RuleChange,
): Promise<ActionResult> {
  const input = {
    enabled: String(enabled),
    limit: limit?.toString() ?? null,
    amounts: amounts === undefined ? null : amountsText(amounts),
  };
  const request = {
    ...origin,
    action: "alert_rules.change",
    subject: { type: "alert_rule", id: condition },
    input,
  } as const;
  return operatorAction(ctx, request, async (tx) => {
    const rules = allRules(await selectAlertRules(tx, ctx.tenantId));
    const was = rules.find((rule) => rule.condition === condition);
    if (was === undefined) throw new Error(`no rule of ${condition}`);
    const next = { condition, enabled, limit: limit ?? was.limit, amounts: amounts ?? was.amounts };
    const [before, after] = [factsOf(was), factsOf(next)];
    if (JSON.stringify(before) === JSON.stringify(after))
      return unchangedOutcome(condition, "It is like that already.", before);
    await saveAlertRule(tx, ctx.tenantId, next, ctx.actor.name);
    return changedOutcome(before, after);
  });
}

function factsOf({ enabled, limit, amounts }: AlertSetting): Readonly<Record<string, unknown>> {
  return { enabled, limit: limit.toString(), amounts: amountsText(amounts) };
}
