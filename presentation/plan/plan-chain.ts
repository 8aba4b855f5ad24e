import type { ChainStation, ChainWay } from "../operation/chain";
import type { GlyphName } from "../format/glyph";
import { formatAge, formatCount, formatDuration } from "../format/display-time";
import { planSeconds } from "@/domain/plans/plan";
import { answerParts, askedOf } from "./plan-answers";
import { willAct } from "./plan-advice";
import { rowsWord as rows } from "./plan-words";
import type { PlanView } from "../views/plans";

/** Where a plan stands: Frozen → Dry run → Approval → Run → Outcome. Pure; times are cut from RFC 3339, UTC. */
export function planChain(plan: PlanView): readonly ChainStation[] {
  return [frozen(plan), dryRun(plan), approval(plan), run(plan), outcome(plan)];
}

const SHORTEST_MS = 1_000;
const clock = (at: string): string => at.slice(11, 19);
/** No duration for steps that happened at once. */
function between(from: string, to: string): string | undefined {
  const span = Date.parse(to) - Date.parse(from);
  return span < SHORTEST_MS ? undefined : formatDuration(span);
}
const due: ChainWay = { kind: "due" };
const solid = (from: string, to: string): ChainWay => ({ kind: "solid", duration: between(from, to) });

/** Due until somebody decides; a plan that ended before has no way on. */
function waiting(plan: PlanView): ChainWay | undefined {
  return plan.endedAt === undefined ? due : undefined;
}

function frozen(plan: PlanView): ChainStation {
  const facts = [rows(plan.total), `by ${plan.createdBy}`];
  const time = clock(plan.createdAt);
  const spoken = `Frozen at ${time}: ${rows(plan.total)}.`;
  return { name: "Frozen", glyph: "executed", time, facts, way: { kind: "solid" }, spoken };
}

function dryRun(plan: PlanView): ChainStation {
  if (plan.asking !== undefined) return asking(plan, plan.asking);
  const next = plan.decidedAt ?? plan.startedAt;
  const facts = [`${formatCount(plan.acting)} would act`, `${formatCount(plan.total - plan.acting)} left alone`];
  const way = next === undefined ? waiting(plan) : solid(plan.createdAt, next);
  const spoken = `Dry run: ${facts.join(", ")}.`;
  return { name: "Dry run", glyph: "executed", time: clock(plan.createdAt), facts, way, spoken };
}

/** A dry run that asks takes its time, and its answers are its facts. */
function asking(plan: PlanView, look: NonNullable<PlanView["asking"]>): ChainStation {
  const next = plan.decidedAt ?? plan.startedAt;
  const name = "Dry run";
  const { asked, all } = askedOf(look);
  if (look.state === "asking") {
    const fact = `${formatCount(asked)} of ${formatCount(all)} looked up`;
    const way = next === undefined ? waiting(plan) : solid(plan.createdAt, next);
    return { name, glyph: "in_progress", facts: [fact], way, spoken: `Dry run: ${fact}.` };
  }
  const facts = answerParts(look);
  const ended = look.endedAt ?? plan.createdAt;
  const way = next === undefined ? waiting(plan) : solid(ended, next);
  const spoken = `Dry run: ${facts.length === 0 ? "nobody was asked" : facts.join(", ")}.`;
  return { name, glyph: "executed", time: clock(ended), facts, way, spoken };
}

function approval(plan: PlanView): ChainStation {
  const name = "Approval";
  const { approvalNeeded, decidedAt, decidedBy = "somebody", startedAt } = plan;
  if (approvalNeeded === undefined) {
    const way: ChainWay = { kind: startedAt === undefined ? "due" : "through" };
    return { name, glyph: "empty", presence: "absent", facts: [], way, spoken: "Approval: not needed at this size." };
  }
  if (decidedAt !== undefined) {
    const rejected = plan.state === "rejected";
    const word = rejected ? "rejected" : "approved";
    const onward = startedAt === undefined ? waiting(plan) : solid(decidedAt, startedAt);
    return {
      name,
      glyph: rejected ? "FAILED_REPLAYABLE" : "executed",
      time: clock(decidedAt),
      facts: [`${word} by ${decidedBy}`],
      way: rejected ? undefined : onward,
      spoken: `Approval: ${word} at ${clock(decidedAt)} by ${decidedBy}.`,
    };
  }
  const open = plan.state === "awaiting_approval" && !plan.expired;
  const fact = open ? "waits for one person" : "not approved";
  const parts = { facts: [fact], way: waiting(plan), spoken: `Approval: ${fact}.` };
  return { name, glyph: open ? "in_progress" : "empty", presence: open ? "on" : "off", ...parts };
}

function run(plan: PlanView): ChainStation {
  const name = "Run";
  const { startedAt, endedAt, counts } = plan;
  if (startedAt === undefined) {
    const acting = willAct(plan);
    const seconds = planSeconds(acting);
    const about = acting === 0 ? "nothing to run" : `at least ${formatAge(seconds * 1_000)}`;
    const parts =
      endedAt === undefined
        ? { facts: [about], spoken: `Run: not started, ${about}.` }
        : { facts: ["never ran"], spoken: "Run: it never ran." };
    return { name, glyph: "empty", presence: "off", way: waiting(plan), ...parts };
  }
  const fact = `${formatCount(plan.acting - counts.waiting)} of ${formatCount(plan.acting)} ended`;
  return {
    name,
    glyph: endedAt === undefined ? "in_progress" : "executed",
    time: clock(startedAt),
    facts: [fact, `started by ${plan.startedBy ?? "somebody"}`],
    way: endedAt === undefined ? due : solid(startedAt, endedAt),
    spoken: `Run: started at ${clock(startedAt)}, ${fact}.`,
  };
}

function outcome(plan: PlanView): ChainStation {
  const name = "Outcome";
  const { counts, results, endedAt } = plan;
  if (endedAt === undefined || plan.startedAt === undefined) {
    const facts = ["per row, against the dry run"];
    return { name, glyph: "empty", presence: "off", facts, spoken: "Outcome: not known yet." };
  }
  const parts = [
    [counts.done, "done"] as const,
    [results.unknown, "stayed unknown"] as const,
    [results.settled, "settled by others"] as const,
    [results.moved, "skipped"] as const,
    [counts.failed, "failed"] as const,
    [counts.waiting, "untouched"] as const,
  ].flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []));
  const facts = parts.length === 0 ? ["no row acted"] : parts;
  const time = clock(endedAt);
  return { name, glyph: outcomeGlyph(plan), time, facts, spoken: `Outcome at ${time}: ${facts.join(", ")}.` };
}

/** What needs a person comes before what went well. */
function outcomeGlyph({ counts, results, state }: PlanView): GlyphName {
  if (counts.failed > 0) return "dead";
  if (results.unknown > 0) return "UNKNOWN_REQUIRES_RECOVERY";
  return state === "aborted" ? "FAILED_REPLAYABLE" : "COMPLETED";
}
