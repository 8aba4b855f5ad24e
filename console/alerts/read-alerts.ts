import { selectEndedAlerts, selectOpenAlerts, type ShownAlertRow } from "@/db/alerts/alerts";
import { selectAlertDestinations } from "@/db/alerts/destinations";
import { selectAlertRules, type DecidedRule } from "@/db/alerts/rules";
import { selectNow } from "@/db/checks/invariant-runs";
import { selectLastErrors } from "@/db/alerts/select-measures";
import { selectOpenPlaces } from "@/db/messages/select-places";
import { readWithin } from "@/db/bounded-read";
import { whyNot } from "@/domain/access/permission";
import {
  ALERT_CONDITIONS,
  amountsText,
  COUNTED_CONDITIONS,
  defaultRule,
  shownAmounts,
  type AlertCondition,
} from "@/domain/alerts/rules";
import { shownName } from "@/domain/plain-text";
import { alertPage, alertTitle, type AlertMessageNews } from "@/presentation/alerts/alert-message";
import type { AlertRuleView, AlertsView, AlertView } from "@/presentation/views/alerts";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { alertTopic } from "./destination-secret";
import { MAX_ALERT_DESTINATIONS } from "./limits";

/** Ended alerts that the page shows. */
export const ENDED_SHOWN = 50;

/**
 * What the tenant is told, where, and what is so now; never a secret of a destination.
 * @throws AppError `auth.forbidden` 403
 */
export async function readAlerts(ctx: EngineContext): Promise<AlertsView> {
  requirePermission(ctx, "alerts.read");
  const { tenantId } = ctx;
  return readWithin(ctx.db, "list", async (q) => {
    const at = await selectNow(q);
    const kept = await selectOpenAlerts(q, tenantId);
    const ended = await selectEndedAlerts(q, tenantId, ENDED_SHOWN);
    const decided = await selectAlertRules(q, tenantId);
    const rows = await selectAlertDestinations(q, tenantId, MAX_ALERT_DESTINATIONS);
    const topics = rows.map(alertTopic);
    const waits = new Map((await selectOpenPlaces(q, tenantId, "outbox", topics)).map((row) => [row.place, row]));
    const errors = new Map((await selectLastErrors(q, tenantId, topics)).map((row) => [row.topic, row.errorCode]));
    return {
      at,
      open: kept.flatMap((row) =>
        row.toldAt === undefined
          ? []
          : [
              {
                ...alertView(row, "opened"),
                level: row.level,
                toldAt: row.toldAt.toISOString(),
                clearSince: row.clearSince?.toISOString(),
              },
            ],
      ),
      pending: kept.filter(({ toldAt }) => toldAt === undefined).length,
      ended: ended.flatMap((row) =>
        row.endedAt === undefined || row.endedAs === undefined
          ? []
          : [{ ...alertView(row, "opened"), endedAt: row.endedAt.toISOString(), endedAs: row.endedAs }],
      ),
      rules: ALERT_CONDITIONS.map((condition) =>
        ruleView(
          condition,
          decided.find((rule) => rule.condition === condition),
        ),
      ),
      destinations: rows.map((row) => {
        const topic = alertTopic(row);
        const { waiting = 0, dead = 0 } = waits.get(topic) ?? {};
        const { id, kind, name, shown, createdBy } = row;
        return {
          ...{ id, kind, shown, topic, createdBy, waiting, dead },
          name: shownName(name),
          createdAt: row.createdAt.toISOString(),
          lastError: errors.get(topic),
        };
      }),
      limit: MAX_ALERT_DESTINATIONS,
      whyNot: whyNot(roleOf(ctx), "alert_destinations.create"),
    };
  });
}

function alertView(row: ShownAlertRow, news: AlertMessageNews): AlertView {
  const facts = { ...row, news };
  const { id, condition } = row;
  return { id, condition, title: alertTitle(facts), href: alertPage(facts), since: row.seenAt.toISOString() };
}

function ruleView(condition: AlertCondition, decided: DecidedRule | undefined): AlertRuleView {
  const rule = decided ?? defaultRule(condition);
  return {
    condition,
    enabled: rule.enabled,
    ...(COUNTED_CONDITIONS.includes(condition) && { limit: Number(rule.limit) }),
    ...(condition === "money_in_doubt" && {
      amounts: amountsText(rule.amounts),
      shownAmounts: shownAmounts(rule.amounts),
    }),
    isDefault: decided === undefined,
    updatedAt: decided?.updatedAt.toISOString(),
    updatedBy: decided?.updatedBy,
  };
}
