import type { ChainStation, ChainWay } from "../operation/chain";
import type { GlyphName } from "../format/glyph";
import { firstWords } from "@/domain/page-claim";
import { formatDuration } from "../format/display-time";
import { answerParts } from "./plan-answers";
import {
  aboutFact,
  APPROVAL_CLAIMS,
  planClock,
  DRY_RUN_CLAIMS,
  endedFact,
  FROZEN_CLAIMS,
  judgedFacts,
  lookedUpFact,
  OUTCOME_CLAIMS,
  outcomeFacts,
  RUN_CLAIMS,
  waitsForApproval,
} from "./plan-chain-claims";
import { rowsWord as rows } from "./plan-words";
import { unitOf } from "@/domain/plans/plan";
import type { PlanView } from "../views/plans";

/** Where a plan stands: Frozen → Dry run → Approval → Run → Outcome. Pure; times are cut from RFC 3339, UTC. */
export function planChain(plan: PlanView): readonly ChainStation[] {
  return [frozen(plan), dryRun(plan), approval(plan), run(plan), outcome(plan)];
}

const SHORTEST_MS = 1_000;
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
  const facts = [rows(plan.total, plan.kind), `by ${plan.createdBy}`];
  const time = planClock(plan.createdAt);
  const spoken = firstWords(FROZEN_CLAIMS, plan);
  return { name: "Frozen", glyph: "executed", time, facts, way: { kind: "solid" }, spoken };
}

function dryRun(plan: PlanView): ChainStation {
  if (plan.asking !== undefined) return asking(plan, plan.asking);
  const next = plan.decidedAt ?? plan.startedAt;
  const facts = judgedFacts(plan);
  const way = next === undefined ? waiting(plan) : solid(plan.createdAt, next);
  const spoken = firstWords(DRY_RUN_CLAIMS, plan);
  return { name: "Dry run", glyph: "executed", time: planClock(plan.createdAt), facts, way, spoken };
}

/** A dry run that asks takes its time, and its answers are its facts. */
function asking(plan: PlanView, look: NonNullable<PlanView["asking"]>): ChainStation {
  const next = plan.decidedAt ?? plan.startedAt;
  const name = "Dry run";
  if (look.state === "asking") {
    const way = next === undefined ? waiting(plan) : solid(plan.createdAt, next);
    return { name, glyph: "in_progress", facts: [lookedUpFact(look)], way, spoken: firstWords(DRY_RUN_CLAIMS, plan) };
  }
  const facts = answerParts(look);
  const ended = look.endedAt ?? plan.createdAt;
  const way = next === undefined ? waiting(plan) : solid(ended, next);
  const spoken = firstWords(DRY_RUN_CLAIMS, plan);
  return { name, glyph: "executed", time: planClock(ended), facts, way, spoken };
}

function approval(plan: PlanView): ChainStation {
  const name = "Approval";
  const { approvalNeeded, decidedAt, decidedBy = "somebody", startedAt } = plan;
  if (approvalNeeded === undefined) {
    const way: ChainWay = { kind: startedAt === undefined ? "due" : "through" };
    return { name, glyph: "empty", presence: "absent", facts: [], way, spoken: firstWords(APPROVAL_CLAIMS, plan) };
  }
  if (decidedAt !== undefined) {
    const rejected = plan.state === "rejected";
    const word = rejected ? "rejected" : "approved";
    const onward = startedAt === undefined ? waiting(plan) : solid(decidedAt, startedAt);
    return {
      name,
      glyph: rejected ? "FAILED_REPLAYABLE" : "executed",
      time: planClock(decidedAt),
      facts: [`${word} by ${decidedBy}`],
      way: rejected ? undefined : onward,
      spoken: firstWords(APPROVAL_CLAIMS, plan),
    };
  }
  const open = waitsForApproval(plan);
  const fact = open ? "waits for one person" : "not approved";
  const parts = { facts: [fact], way: waiting(plan), spoken: firstWords(APPROVAL_CLAIMS, plan) };
  return { name, glyph: open ? "in_progress" : "empty", presence: open ? "on" : "off", ...parts };
}

function run(plan: PlanView): ChainStation {
  const name = "Run";
  const { startedAt, endedAt } = plan;
  if (startedAt === undefined) {
    const parts = {
      facts: [endedAt === undefined ? aboutFact(plan) : "never ran"],
      spoken: firstWords(RUN_CLAIMS, plan),
    };
    return { name, glyph: "empty", presence: "off", way: waiting(plan), ...parts };
  }
  return {
    name,
    glyph: endedAt === undefined ? "in_progress" : "executed",
    time: planClock(startedAt),
    facts: [endedFact(plan), `started by ${plan.startedBy ?? "somebody"}`],
    way: endedAt === undefined ? due : solid(startedAt, endedAt),
    spoken: firstWords(RUN_CLAIMS, plan),
  };
}

function outcome(plan: PlanView): ChainStation {
  const name = "Outcome";
  const { endedAt } = plan;
  if (endedAt === undefined || plan.startedAt === undefined) {
    const facts = [`per ${unitOf(plan.kind)}, against the dry run`];
    return { name, glyph: "empty", presence: "off", facts, spoken: firstWords(OUTCOME_CLAIMS, plan) };
  }
  return {
    name,
    glyph: outcomeGlyph(plan),
    time: planClock(endedAt),
    facts: outcomeFacts(plan),
    spoken: firstWords(OUTCOME_CLAIMS, plan),
  };
}

/** What needs a person comes before what went well. */
function outcomeGlyph({ counts, results, state }: PlanView): GlyphName {
  if (counts.failed > 0) return "dead";
  if (results.unknown > 0) return "UNKNOWN_REQUIRES_RECOVERY";
  return state === "aborted" ? "FAILED_REPLAYABLE" : "COMPLETED";
}
