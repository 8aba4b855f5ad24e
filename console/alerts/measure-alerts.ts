import { boundedRead } from "@/db/bounded-read";
import { countDeadLetters, DEAD_COUNTED, measureTopics } from "@/db/alerts/select-measures";
import { selectLastRuns } from "@/db/checks/invariant-runs";
import type { Queryable } from "@/db/client";
import { selectHeartbeats } from "@/db/metrics/heartbeats";
import { selectDoubtTotals } from "@/db/operations/select-attention";
import type { AlertFinding, AlertMeasure } from "@/domain/alerts/decide";
import type { AlertCondition, AlertSetting } from "@/domain/alerts/rules";
import { loopState } from "@/presentation/metrics/heartbeat";
import type { EngineContext } from "@/engine/context";
import { INVARIANT_NAMES } from "../invariants/invariant-list";

const MS_PER_MINUTE = 60_000;

type Measured = Pick<AlertMeasure, "findings" | "whole" | "watched">;
type Measure = (q: Queryable, tenantId: string, rule: AlertSetting) => Promise<Measured>;

/** Each condition by the reads that the pages show it by. */
const MEASURES: Readonly<Record<AlertCondition, Measure>> = {
  async money_in_doubt(q, tenantId, { condition, amounts }) {
    const totals = await selectDoubtTotals(q, tenantId);
    const findings = totals.flatMap(({ currency, minor, count }): AlertFinding[] => {
      const limit = amounts[currency];
      if (limit === undefined) return [];
      return [{ condition, subject: currency, value: minor, limit, facts: { operations: String(count) } }];
    });
    return { findings, whole: true, watched: Object.keys(amounts) };
  },
  async dead_letters(q, tenantId, { condition, limit }) {
    const count = await countDeadLetters(q, tenantId);
    const facts: AlertFinding["facts"] = count >= DEAD_COUNTED ? { atLeast: "true" } : {};
    return { findings: [{ condition, subject: "", value: BigInt(count), limit, facts }], whole: true };
  },
  async failing_topic(q, tenantId, { condition, limit }) {
    const { topics, whole } = await measureTopics(q, tenantId);
    const findings = topics.map(({ topic, paused, failing, oldestMs, errorCode }): AlertFinding => {
      const facts = { failing: String(failing), ...(errorCode !== undefined && { errorCode }) };
      // A person paused it: nobody is woken for it, and nothing says that it works.
      const value = paused ? undefined : BigInt(Math.floor(oldestMs / MS_PER_MINUTE));
      return { condition, subject: topic, value, limit, facts };
    });
    return { findings, whole };
  },
  async stopped_loop(q, _tenantId, { condition, limit }) {
    const beats = await selectHeartbeats(q);
    const findings = beats.map(({ loop, ageMs, intervalMs }): AlertFinding => {
      const stopped = loopState(ageMs, intervalMs) === "stopped";
      return { condition, subject: loop, value: stopped ? limit : 0n, limit, facts: {} };
    });
    // A loop without a heartbeat has not come back: its process ended, or it is silent for over a day.
    return { findings, whole: false };
  },
  async red_invariant(q, tenantId, { condition, limit }) {
    const runs = await selectLastRuns(q, tenantId, INVARIANT_NAMES);
    const findings = runs.map(({ name, violations, capped }): AlertFinding => {
      const value = violations === undefined ? undefined : BigInt(violations);
      return { condition, subject: name, value, limit, facts: capped ? { atLeast: "true" } : {} };
    });
    return { findings, whole: false };
  },
};

const NOTHING: Measured = { findings: [], whole: false };

/**
 * Measures what a tenant watches, each condition in a bounded read of its own: one that does not end in its time says nothing, and what
 * was told of it stays as it is.
 */
export async function measureAlerts(ctx: EngineContext, rules: readonly AlertSetting[]): Promise<readonly AlertMeasure[]> {
  const measures: AlertMeasure[] = [];
  for (const rule of rules) {
    const { condition, enabled } = rule;
    const read = enabled
      ? await boundedRead(ctx.db, "list", (q) => MEASURES[condition](q, ctx.tenantId, rule))
      : undefined;
    if (read?.kind === "too_broad")
      ctx.log.warn({ finding: condition, tenantId: ctx.tenantId }, "an alert was not measured");
    measures.push({ condition, enabled, ...(read?.kind === "done" ? read.value : NOTHING) });
  }
  return measures;
}
