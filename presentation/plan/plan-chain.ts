import type { ChainStation, ChainWay } from "../operation/chain";
import type { GlyphName } from "../format/glyph";
import { formatAge, formatCount, formatDuration } from "../format/display-time";
import { planSeconds } from "@/domain/plans/plan";
import { rowsWord as rows } from "./plan-words";
import type { PlanView } from "../views/plans";

/** Where a plan stands: Frozen → Dry run → Approval → Run → Outcome. Pure; times are cut from RFC 3339, UTC. */
export function planChain(plan: PlanView): readonly ChainStation[] {
  return [frozen(plan), dryRun(plan), approval(plan), run(plan), outcome(plan)];
}

const SHORTEST_MS = 1_000;
const clock = (at: string): string => at.slice(11, 19);
/** Nothing is said of what happened in one step. */
function between(from: string, to: string): string | undefined {
  const span = Date.parse(to) - Date.parse(from);
  return span < SHORTEST_MS ? undefined : formatDuration(span);
}
const due: ChainWay = { kind: "due" };

function frozen(plan: PlanView): ChainStation {
  return {
    name: "Frozen",
    glyph: "executed",
    time: clock(plan.createdAt),
    facts: [rows(plan.total), `by ${plan.createdBy}`],
    way: { kind: "solid" },
    spoken: `Frozen at ${clock(plan.createdAt)}: ${rows(plan.total)}.`,
  };
}

function dryRun(plan: PlanView): ChainStation {
  const next = plan.decidedAt ?? plan.startedAt;
  const facts = [`${formatCount(plan.acting)} would act`, `${formatCount(plan.total - plan.acting)} left alone`];
  return {
    name: "Dry run",
    glyph: "executed",
    time: clock(plan.createdAt),
    facts,
    way: next === undefined ? waiting(plan) : { kind: "solid", duration: between(plan.createdAt, next) },
    spoken: `Dry run: ${facts.join(", ")}.`,
  };
}

/** Until somebody decides the way is not yet due; a plan that ended before has none. */
function waiting(plan: PlanView): ChainWay | undefined {
  return plan.endedAt === undefined ? due : undefined;
}

function approval(plan: PlanView): ChainStation {
  const name = "Approval";
  if (plan.approvalNeeded === undefined) {
    const way: ChainWay = { kind: plan.startedAt === undefined ? "due" : "through" };
    return { name, glyph: "empty", presence: "absent", facts: [], way, spoken: "Approval: not needed at this size." };
  }
  if (plan.decidedAt !== undefined) {
    const rejected = plan.state === "rejected";
    const word = rejected ? "rejected" : "approved";
    const way: ChainWay | undefined = rejected
      ? undefined
      : plan.startedAt === undefined
        ? waiting(plan)
        : { kind: "solid", duration: between(plan.decidedAt, plan.startedAt) };
    return {
      name,
      glyph: rejected ? "FAILED_REPLAYABLE" : "executed",
      time: clock(plan.decidedAt),
      facts: [`${word} by ${plan.decidedBy ?? "somebody"}`],
      way,
      spoken: `Approval: ${word} at ${clock(plan.decidedAt)} by ${plan.decidedBy ?? "somebody"}.`,
    };
  }
  const open = plan.state === "awaiting_approval" && !plan.expired;
  return {
    name,
    glyph: open ? "in_progress" : "empty",
    presence: open ? "on" : "off",
    facts: [open ? "waits for one person" : "nobody agreed"],
    way: waiting(plan),
    spoken: open ? "Approval: waits for one person." : "Approval: nobody agreed.",
  };
}

function run(plan: PlanView): ChainStation {
  const name = "Run";
  const { startedAt, endedAt, counts } = plan;
  if (startedAt === undefined) {
    const about =
      counts.waiting === 0 ? "nothing to run" : `at least ${formatAge(planSeconds(counts.waiting) * 1_000)}`;
    return {
      name,
      glyph: "empty",
      presence: "off",
      facts: plan.endedAt === undefined ? [about] : ["never ran"],
      way: waiting(plan),
      spoken: plan.endedAt === undefined ? `Run: not started, ${about}.` : "Run: it never ran.",
    };
  }
  const ended = plan.acting - counts.waiting;
  const fact = `${formatCount(ended)} of ${formatCount(plan.acting)} ended`;
  return {
    name,
    glyph: endedAt === undefined ? "in_progress" : "executed",
    time: clock(startedAt),
    facts: [fact, `started by ${plan.startedBy ?? "somebody"}`],
    way: endedAt === undefined ? due : { kind: "solid", duration: between(startedAt, endedAt) },
    spoken: `Run: started at ${clock(startedAt)}, ${fact}.`,
  };
}

function outcome(plan: PlanView): ChainStation {
  const name = "Outcome";
  const { counts, results, endedAt } = plan;
  if (endedAt === undefined || plan.startedAt === undefined) {
    return {
      name,
      glyph: "empty",
      presence: "off",
      facts: ["per row, against the dry run"],
      spoken: "Outcome: not known yet.",
    };
  }
  const parts = [
    ...(counts.done > 0 ? [`${formatCount(counts.done)} done`] : []),
    ...(results.unknown > 0 ? [`${formatCount(results.unknown)} still unknown`] : []),
    ...(results.moved > 0 ? [`${formatCount(results.moved)} skipped`] : []),
    ...(counts.failed > 0 ? [`${formatCount(counts.failed)} failed`] : []),
    ...(counts.waiting > 0 ? [`${formatCount(counts.waiting)} untouched`] : []),
  ];
  if (parts.length === 0) parts.push("no row acted");
  return {
    name,
    glyph: outcomeGlyph(plan),
    time: clock(endedAt),
    facts: parts,
    spoken: `Outcome at ${clock(endedAt)}: ${parts.join(", ")}.`,
  };
}

/** What needs a person comes before what went well. */
function outcomeGlyph({ counts, results, state }: PlanView): GlyphName {
  if (counts.failed > 0) return "dead";
  if (results.unknown > 0) return "UNKNOWN_REQUIRES_RECOVERY";
  return state === "aborted" ? "FAILED_REPLAYABLE" : "COMPLETED";
}
