import { randomUUID } from "node:crypto";
import type { CheckedAnswer } from "@/http/testing/contract";
import { requireInProcess } from "@/http/testing/in-process";
import { judgeProbe, leakedIn, twinOf, type Breach, type Judging, type Send } from "./judge";
import { probeOf, WEIGHED, type Attack, type Probe } from "./probes";
import { randomOf, type Random } from "./random";
import { routesOf, type ProbeTarget } from "./routes";
import { digestsOf, tokensOf, type Tokens } from "./tokens";
import type { Caller, World } from "./world";

export interface ProbingOptions {
  readonly probes: number;
  readonly seed: string;
  /** The routes are asked too; they are when left out. */
  readonly routes?: boolean | undefined;
  /** More targets than the routes: pages, where they are served. */
  readonly pages: readonly ProbeTarget[];
  readonly sendPage?: Send | undefined;
  /** Of the targets those whose address has this; all when left out. */
  readonly only?: string | undefined;
  readonly say: (line: string) => void;
}

export interface Probing {
  readonly sent: number;
  readonly findings: readonly Breach[];
  /** Routes and pages on which somebody who sees both tenants is shown the other one: what the probes look for can be found. */
  readonly control: readonly string[];
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Rows of the other tenant are compared after so many probes, so that a change is known by its neighbours. */
const LOOK_EVERY = 250;
const MOST_FINDINGS = 20;
const CONTENT: readonly [string, string] = ["content-type", "application/json"];

/** Sends probes, each with its twin, and compares the other tenant's rows before and after. */
export async function sendProbes(world: World, options: ProbingOptions): Promise<Probing> {
  const { say, seed, probes: count } = options;
  const tokens = await tokensOf(world);
  const routes = options.routes === false ? [] : routesOf(requireInProcess(world.host).deps);
  const all = [...routes, ...options.pages];
  const targets = all.filter(({ path }) => path.includes(options.only ?? ""));
  say(
    `${String(targets.length)} targets, ${String(tokens.ids.length)} ids and ${String(tokens.names.length)} names of the other tenant`,
  );
  const statuses: Record<string, number> = {};
  const send = sender(world, options.sendPage, statuses);
  const judging: Judging = { tokens, twin: twinOf(world, tokens), written: new Set() };
  const control = await lookAsBoth(world, targets, judging, send);
  const before = await digestsOf(world);
  const findings: Breach[] = [];
  let sent = 0;
  for (const probe of probesOf(world, targets, tokens, randomOf(seed))) {
    if (sent >= count || findings.length >= MOST_FINDINGS) break;
    const found = await judgeProbe(probe, judging, send);
    sent += 1;
    if (found !== undefined) findings.push(found);
    if (sent % LOOK_EVERY === 0 || sent === count) {
      await keepProved(world);
      findings.push(...changed(before, await digestsOf(world)).map((why) => ({ probe, why })));
      if (sent % (LOOK_EVERY * 8) === 0) say(`${String(sent)} probes`);
    }
  }
  return { sent, findings, control, statuses };
}

/** What asks for a new proof of the person must not be what holds a later probe off. */
async function keepProved({ host }: World): Promise<void> {
  await host.rows("update onceboard.sessions set confirmed_at = clock_timestamp()");
}

/** Each target by each caller in each way, in an order that spreads a small share over all of them; then again with other ids. */
function* probesOf(world: World, targets: readonly ProbeTarget[], tokens: Tokens, random: Random): Generator<Probe> {
  const combinations = targets.flatMap((target) =>
    callersOf(world, target).flatMap((caller) => WEIGHED.map((attack) => ({ target, caller, attack }))),
  );
  for (;;) {
    const order = shuffled(combinations, random);
    for (const { target, caller, attack } of order) yield probeOf(world, tokens, caller, target, attack, random);
  }
}

interface Combination {
  readonly target: ProbeTarget;
  readonly caller: Caller;
  readonly attack: Attack;
}

/** Pages take no key, and need a session. */
function callersOf({ callers }: World, { kind }: ProbeTarget): readonly Caller[] {
  return kind === "page" ? callers.filter((caller) => caller.kind === "session") : callers;
}

function shuffled(all: readonly Combination[], random: Random): readonly Combination[] {
  const order = [...all];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    const [one, two] = [order[last], order[other]];
    if (one !== undefined && two !== undefined) [order[last], order[other]] = [two, one];
  }
  return order;
}

function sender(world: World, sendPage: Send | undefined, statuses: Record<string, number>): Send {
  return async (probe) => {
    const answer = await sent(world, sendPage, probe);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return answer;
  };
}

function sent(world: World, sendPage: Send | undefined, probe: Parameters<Send>[0]): Promise<CheckedAnswer> {
  if (probe.target.kind === "page" && sendPage !== undefined) return sendPage(probe);
  const { target, path, headers, body } = probe;
  const { method } = target;
  if (body === undefined) return world.host.call({ method, path, headers });
  const all = [...headers, CONTENT, ["idempotency-key", randomUUID()] as const];
  return world.host.call({ method, path, headers: all, body });
}

/** What is read by somebody with a grant in both tenants must show the other one, or its probes prove nothing. */
async function lookAsBoth(
  world: World,
  targets: readonly ProbeTarget[],
  judging: Judging,
  send: Send,
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const target of targets.filter(({ method, path }) => method === "GET" && !/[:[]/.test(path))) {
    if (target.kind === "call") continue;
    const path = `${target.path}?tenant=${world.other}${target.query.includes("q") ? `&q=${judging.tokens.ids[0] ?? ""}` : ""}`;
    const request = { target, path, headers: world.both.headers, body: undefined };
    if (leakedIn(request, await send(request), judging) !== undefined) seen.push(target.path);
  }
  return seen;
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...before].flatMap(([name, digest]) =>
    after.get(name) === digest ? [] : [`rows of the other tenant in ${name} are not what they were`],
  );
}
