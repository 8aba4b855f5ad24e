import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { onBenchServer, settleDatabase } from "../database";
import { load } from "../load";
import { machineAndDurability } from "../messages/machine";
import { processorTimeOf, type ProcessorTime } from "../processor-time";
import { PEER_CASES, peerCases, type PeerCase } from "./cases";
import { factsOf } from "./facts";
import { installPeer } from "./install";
import { PEERS } from "./peer";
import { peerReport, type PeerFigures, type PeerRound, type PeerSeries } from "./report";
import { openPeerTarget, type PeerTarget } from "./target";

/** As `--only` names it. */
export const PEERS_CASE = "peers";
/** Before each turn: connections were given back since the last one, and sessions forgot their plans. */
const WARM_UP_MS = 2_000;
const KEYS_AT_ONCE = 10;

export interface PeersOptions {
  readonly quick: boolean;
  readonly rounds: number;
  readonly durationMs: number;
  readonly connections: number;
  /** First of as many ports as there are peers. */
  readonly port: number;
  /** Names of peers; all when empty. */
  readonly hosts: readonly string[];
  readonly peerSources: ReadonlyMap<string, string>;
}

interface Turn {
  readonly target: PeerTarget;
  readonly one: PeerCase;
  readonly own: PeerSeries;
}

interface Measuring {
  readonly target: PeerTarget;
  readonly cases: readonly PeerCase[];
}

/** The same order over HTTP by us, by each peer and without a key: rates, and what becomes of a key that is sent at once and in a crash. */
export async function benchPeers(options: PeersOptions): Promise<{ text: string; figures: PeerFigures }> {
  return onBenchServer(async (server, closers) => {
    const dataDir = await mkdtemp(join(tmpdir(), "onceboard-bench-"));
    closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const { targets, remarks } = await openTargets(server, dataDir, options, closers);
    const facts: Record<string, Awaited<ReturnType<typeof factsOf>>> = {};
    for (const target of targets) {
      facts[target.peer.name] = await factsOf(target, options.quick ? 1 : KEYS_AT_ONCE);
      log(`${target.peer.label}: ${JSON.stringify(facts[target.peer.name])}`);
    }
    const measuring: Measuring[] = [];
    for (const target of targets) measuring.push({ target, cases: await peerCases(target) });
    const { series, loads } = await measureCases(measuring, options, await processorTimeOf(server));
    const figures = { machine: await machineAndDurability(server), series, facts, loads, remarks };
    return { text: peerReport(figures), figures };
  });
}

async function openTargets(
  server: string,
  dataDir: string,
  options: PeersOptions,
  closers: (() => Promise<unknown>)[],
): Promise<{ targets: PeerTarget[]; remarks: string[] }> {
  const targets: PeerTarget[] = [];
  const remarks: string[] = [];
  for (const [at, peer] of PEERS.entries()) {
    if (options.hosts.length > 0 && !options.hosts.includes(peer.name)) continue;
    const home = await installPeer(peer, options.peerSources);
    if ("missing" in home) {
      remarks.push(`${peer.label}: not measured, ${home.missing}`);
      continue;
    }
    const port = options.port + at;
    const target = await openPeerTarget(peer, { server, folder: home.folder, dataDir, port, closers });
    await target.start();
    targets.push(target);
  }
  return { targets, remarks };
}

/** In turns, so that a busy machine is busy for all of them. */
async function measureCases(
  measuring: readonly Measuring[],
  { quick, rounds, durationMs, connections }: PeersOptions,
  used: ProcessorTime | undefined,
): Promise<{ series: PeerSeries[]; loads: number[] }> {
  const series: PeerSeries[] = [];
  const loads: number[] = [];
  for (const name of PEER_CASES) {
    const turns = measuring.flatMap(({ target, cases }): Turn[] => {
      const one = cases.find((other) => other.name === name);
      return one === undefined ? [] : [{ target, one, own: { case: name, peer: target.peer.name, rounds: [] } }];
    });
    const run = async ({ target, one }: Turn, ms: number): Promise<PeerRound> => {
      const before = used?.().server ?? NaN;
      const where = { port: target.port, pid: target.pid(), connections, durationMs: ms };
      const measured = await load({ ...where, expectedStatus: one.expectedStatus, next: () => one.next() });
      return { ...measured, databaseMicroseconds: ((used?.().server ?? NaN) - before) / measured.count };
    };
    for (let round = 0; round < rounds; round += 1) {
      for (const turn of turns) {
        await settleDatabase(turn.target.url);
        await run(turn, quick ? durationMs : WARM_UP_MS);
        turn.own.rounds.push(await run(turn, durationMs));
      }
      loads.push(loadavg()[0] ?? 0);
    }
    series.push(...turns.map(({ own }) => own));
    log(
      `${name}: ${turns.map(({ own }) => `${own.peer} ${String(Math.round(own.rounds[0]?.perSecond ?? 0))}/s`).join(", ")}`,
    );
  }
  return { series, loads };
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
