import { oracleOf } from "../oracles/index";
import { askOracle, type Violation } from "../oracles/oracle";
import { claimInbox, claimOutbox } from "@/db/messages/claim-messages";
import { unlessLost, type CrashChild } from "../children";
import type { Done } from "../child/protocol";
import { hitAtPoint } from "../fault";
import type { MessagePlan } from "../plan";
import { originOf, type CrashSession } from "../session";
import {
  deadOf,
  endTrouble,
  markAlone,
  expireMessageLeases,
  makeTrouble,
  markDrained,
  countOpenMessages,
  openMessages,
  subscribe,
} from "./db-helpers";
import { approveCorrection, endCorrection, proposeForRefused } from "./corrections";
import { writeHistory } from "./write";

interface MessageRun {
  readonly session: CrashSession;
  readonly plan: MessagePlan;
  readonly tenant: string;
  /** Id of the message that nobody can handle. */
  troubled?: string;
}

export interface ScenarioResult {
  /** Whether the point was met; a matrix whose points are not met proves nothing. */
  readonly reached: boolean;
  /** What the first caller was answered, in order. */
  readonly heard: readonly string[];
  /** Found before an operator put right what nobody could handle. */
  readonly early: readonly Violation[];
}

/** Rounds of relays and consumers after the faults have ended; what has not arrived by then never will. */
const ROUNDS = 20;
const PAUSED_ROUNDS = 2;
const LEASE_MS = 30_000;
/** Failed attempts before the last one. */
const BEFORE_LAST = 4;
const ONE_PLACE = oracleOf("Q8");
const ACTION = "requeue-of-this-run";

/** Writes events, lets one process die, stand still or lose its connections on their way, and lets the others finish. */
export async function runMessageScenario(run: MessageRun): Promise<ScenarioResult> {
  const { session, plan, tenant } = run;
  await subscribe(session.place);
  await session.inbox();
  await writeHistory(run, plan);
  const { trouble } = plan.point;
  if (trouble !== undefined) run.troubled = await makeTrouble(session.place, tenant, trouble);
  await prepare(run);
  const reached = await hitAtPoint(
    run,
    (victim) => startWork(run, victim),
    () => (plan.mode === "stop" ? overtake(run) : Promise.resolve()),
  );
  await drain(run);
  const early = await askOracle(session.place.db.pool, ONE_PLACE, tenant);
  if (trouble === "stays") await mend(run);
  if (plan.role === "approver") {
    await endCorrection(run);
    await drain(run);
  }
  await newMessages(run);
  await markDrained(session.place, tenant);
  return { reached, heard: [plan.role], early };
}

/** Everything before the point, by a process that is not hit. */
async function prepare(run: MessageRun): Promise<void> {
  const { session, plan, tenant } = run;
  if (plan.role === "relay" || plan.role === "receiver") return;
  if (plan.role === "approver") return proposeForRefused(run);
  await relay(run, session.rescuer, "events");
  if (plan.role === "mailer") {
    await drain(run, "events");
    return;
  }
  // The followers of each aggregate too.
  for (let round = 0; round < plan.refunds + 1; round += 1) await relay(run, session.rescuer, "events");
  const rounds = plan.point.id === "I6" ? BEFORE_LAST : plan.point.id === "I5" ? 1 : 0;
  for (let round = 0; round < rounds; round += 1) {
    await session.rescuer.ask({ do: "consume", tenant });
    await expireMessageLeases(session.place, tenant);
  }
  if (plan.point.id === "I7") {
    await drain(run, "events");
    await endTrouble(session.place, tenant, run.troubled);
  } else if (plan.alone) await markAlone(session.place, tenant);
}

async function startWork(run: MessageRun, victim: CrashChild): Promise<unknown> {
  const { session, plan, tenant } = run;
  const { proxied } = await session.inbox();
  switch (plan.role) {
    case "relay":
      return relay(run, victim, "events", proxied);
    case "receiver": {
      const { port = 0 } = await victim.ask({ do: "listen" });
      return relay(run, session.rescuer, "events", originOf(port));
    }
    case "mailer":
      return relay(run, victim, "mail", proxied);
    case "consumer":
      return victim.ask({ do: "consume", tenant }).catch(unlessLost);
    case "operator":
      return operatorAction(run, victim);
    case "approver":
      return approveCorrection(run, victim);
  }
}

/** Others take over what the paused process holds. */
async function overtake(run: MessageRun): Promise<void> {
  const { session, plan, tenant } = run;
  // Nobody may take a live lease, however long its owner has been silent.
  await once(run, "all");
  if (plan.role === "operator") await operatorAction(run, session.rescuer);
  if (plan.role === "approver") await approveCorrection(run, session.rescuer);
  await expireMessageLeases(session.place, tenant);
  if (plan.overtaken === "only_taken") return takeAndDie(run);
  for (let round = 0; round < PAUSED_ROUNDS; round += 1) {
    await once(run, "all");
    await expireMessageLeases(session.place, tenant);
  }
}

async function takeAndDie({ session, tenant }: MessageRun): Promise<void> {
  const { pool } = session.place.db;
  const taker = { tenantId: tenant, owner: "died at once", leaseMs: LEASE_MS, limit: 10 };
  for (const topic of ["payments", "accounts", "mail"]) await claimOutbox(pool, { ...taker, topic });
  for (const alone of [false, true]) await claimInbox(pool, { ...taker, alone });
}

/** One tick of a relay and of a consumer that are not hit. */
async function once(run: MessageRun, what: "all" | "events"): Promise<void> {
  await relay(run, run.session.rescuer, what);
  await run.session.rescuer.ask({ do: "consume", tenant: run.tenant });
}

async function relay(
  run: MessageRun,
  child: CrashChild,
  what: "all" | "events" | "mail",
  inbox?: string,
): Promise<Done | undefined> {
  const to = inbox ?? (await run.session.inbox()).direct;
  return child.ask({ do: "relay", tenant: run.tenant, inbox: to, what }).catch(unlessLost);
}

async function operatorAction(run: MessageRun, child: CrashChild): Promise<Done | undefined> {
  const [id = run.tenant] = await deadOf(run.session.place, run.tenant, run.troubled);
  return child.ask({ do: "requeue", tenant: run.tenant, id, key: ACTION }).catch(unlessLost);
}

async function drain(run: MessageRun, what: "all" | "events" = "all"): Promise<void> {
  const { session, tenant } = run;
  for (let round = 0; round < ROUNDS; round += 1) {
    await expireMessageLeases(session.place, tenant);
    await once(run, what);
    if ((await countOpenMessages(session.place, tenant, what)) === 0) return;
  }
}

/** The handler is repaired, and an operator requeues the dead message: the same request until it is answered. */
async function mend(run: MessageRun): Promise<void> {
  const { session, tenant, troubled } = run;
  await endTrouble(session.place, tenant, troubled);
  for (let round = 0; round < ROUNDS; round += 1) {
    if ((await deadOf(session.place, tenant, troubled)).length === 0) break;
    await operatorAction(run, session.rescuer);
  }
  await drain(run);
}

/**
 * One tick, and others while handlers were slow: a busy machine may hold one up, and what was slow is handled alone later without
 * an attempt.
 */
async function consumeNew({ session, tenant }: MessageRun, child: CrashChild): Promise<object[]> {
  const ticks: object[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { counts = {} } = await child.ask({ do: "consume", tenant });
    ticks.push(counts);
    if (!("slow" in counts) || counts.slow === 0) break;
    await expireMessageLeases(session.place, tenant, "free");
  }
  return ticks;
}

/** New messages, by the process that was hit if it lives: each is delivered and handled at the first try. */
async function newMessages(run: MessageRun): Promise<void> {
  const { session, plan, tenant } = run;
  const { child: victim } = await session.victim();
  await writeHistory(run, { payments: 1, refunds: 0, accounts: 1 }, "tail");
  const relayed = await relay(run, plan.role === "relay" ? victim : session.rescuer, "all");
  const consumed = await consumeNew(run, plan.role === "consumer" ? victim : session.rescuer);
  // Receipts of what was just consumed.
  await relay(run, session.rescuer, "all");
  const open = await openMessages(session.place, tenant);
  if (open.length > 0) {
    throw new Error(
      `${String(open.length)} new messages were not delivered and handled at once: ${JSON.stringify({ open, relayed, consumed })}`,
    );
  }
}
