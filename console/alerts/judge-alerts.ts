import { v7 as uuidv7 } from "uuid";
import {
  measureClock,
  endAlert,
  forgetAlert,
  insertAlert,
  OPEN_ALERTS,
  selectOpenAlerts,
  takeAlertTurn,
  updateAlert,
} from "@/db/alerts/alerts";
import { selectAlertDestinations, type AlertDestinationRow } from "@/db/alerts/destinations";
import { selectAlertRules } from "@/db/alerts/rules";
import type { Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { decideAlerts, type AlertChange, type AlertMeasure } from "@/domain/alerts/decide";
import { allRules } from "@/domain/alerts/rules";
import type { EngineContext } from "@/engine/context";
import { MAX_ALERT_DESTINATIONS } from "./limits";
import { measureAlerts } from "./measure-alerts";
import { sendAlert, type AlertNotice } from "./send-alert";

/** What one turn did. */
export interface AlertTurn {
  /** 0: another worker judged meanwhile. */
  readonly judged: number;
  readonly opened: number;
  readonly worse: number;
  readonly ended: number;
  /** Messages that were written for the relay. */
  readonly told: number;
}

/**
 * Measures what a tenant watches and compares it with its alerts. Their new state and the messages about it are one transaction, so who
 * is told of an alert is told of each step once, whatever dies in between: before the commit nothing happened, after it the relay has them.
 * Any number of workers may do it at once. No permission is asked: the loop has none.
 */
export async function judgeAlerts(ctx: EngineContext): Promise<AlertTurn> {
  const measuredAt = await measureClock(ctx.db.pool);
  const rules = allRules(await selectAlertRules(ctx.db.pool, ctx.tenantId));
  const measures = await measureAlerts(ctx, rules);
  return inTransaction(ctx.db, async (tx) => {
    const now = await takeAlertTurn(tx, ctx.tenantId, measuredAt);
    return now === undefined ? { judged: 0, opened: 0, worse: 0, ended: 0, told: 0 } : judge(ctx, tx, measures, now);
  });
}

async function judge(
  ctx: EngineContext,
  tx: Queryable,
  measures: readonly AlertMeasure[],
  now: Date,
): Promise<AlertTurn> {
  const kept = await selectOpenAlerts(tx, ctx.tenantId);
  const changes = decideAlerts(kept, measures, now);
  // What is over the limit of rows is found again, and written once others have ended.
  const room = OPEN_ALERTS - kept.length;
  const seen = changes.filter(({ kind }) => kind === "seen").slice(0, Math.max(0, room));
  const others = changes.filter(({ kind }) => kind !== "seen");
  const destinations = others.some(tells)
    ? await selectAlertDestinations(tx, ctx.tenantId, MAX_ALERT_DESTINATIONS)
    : [];
  const turn = { judged: 1, opened: 0, worse: 0, ended: 0, told: 0 };
  for (const change of [...others, ...seen]) {
    await write(ctx, tx, change, now);
    const notice = noticeOf(change, now);
    if (notice === undefined) continue;
    turn[notice.news === "opened" || notice.news === "worse" ? notice.news : "ended"] += 1;
    turn.told += await tell(ctx, tx, destinations, notice);
  }
  return turn;
}

function tells(change: AlertChange): boolean {
  return "tell" in change && change.tell !== undefined;
}

async function tell(
  ctx: EngineContext,
  tx: Queryable,
  destinations: readonly AlertDestinationRow[],
  notice: AlertNotice,
): Promise<number> {
  for (const destination of destinations) await sendAlert(ctx, tx, destination, notice);
  const { condition, news } = notice;
  ctx.log.warn({ finding: condition, rows: destinations.length, tenantId: ctx.tenantId }, `an alert: ${news}`);
  return destinations.length;
}

async function write(ctx: EngineContext, tx: Queryable, change: AlertChange, now: Date): Promise<void> {
  const { tenantId } = ctx;
  switch (change.kind) {
    case "seen":
      return insertAlert(tx, tenantId, uuidv7(), change.finding, now);
    case "forgotten":
      return forgetAlert(tx, tenantId, change.alert.id);
    case "ended":
      return endAlert(tx, tenantId, change.alert.id, change.tell, now);
    case "kept": {
      const { alert, level, clearSince, finding, tell: news } = change;
      const { value = alert.value, limit, facts } = finding ?? alert;
      const toldAt = news === undefined ? undefined : now;
      return updateAlert(tx, tenantId, { id: alert.id, level, value, limit, facts, clearSince, toldAt });
    }
  }
}

function noticeOf(change: AlertChange, at: Date): AlertNotice | undefined {
  if (change.kind === "ended") {
    const { id: alertId, seenAt: since, condition, subject, value, limit, level, facts } = change.alert;
    return { news: change.tell, alertId, since, at, condition, subject, value, limit, level, facts };
  }
  if (change.kind !== "kept" || change.tell === undefined || change.finding === undefined) return undefined;
  const { alert, level, finding, tell: news } = change;
  const { condition, subject, value = alert.value, limit, facts } = finding;
  return { news, alertId: alert.id, since: alert.seenAt, at, condition, subject, value, limit, level, facts };
}
