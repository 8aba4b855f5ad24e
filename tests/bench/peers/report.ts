import { markdownTable, wholeFigure } from "../../shared/markdown";
import type { Measured } from "../load";
import { median } from "../report";
import type { PeerCaseName } from "./cases";
import { AT_ONCE, type PeerFacts } from "./facts";
import { ALL_LEAVE_OUT, OURS, PEERS } from "./peer";

export interface PeerRound extends Measured {
  /** Processor time of the whole database server per answer; NaN where it cannot be seen. */
  readonly databaseMicroseconds: number;
}

/** What one case gave with one peer. */
export interface PeerSeries {
  readonly case: PeerCaseName;
  readonly peer: string;
  readonly rounds: PeerRound[];
}

export interface PeerFigures {
  readonly machine: string;
  readonly series: readonly PeerSeries[];
  readonly facts: Readonly<Record<string, PeerFacts>>;
  /** Of the machine, at the end of each round. */
  readonly loads: readonly number[];
  readonly remarks: readonly string[];
}

/** How many times as fast ours is: the median of what it was within each round. */
export function timesAsFast(ours: readonly Measured[], theirs: readonly Measured[]): number | undefined {
  const ratios = ours.flatMap((own, round) => {
    const other = theirs[round];
    return other === undefined ? [] : [own.perSecond / other.perSecond];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}

export function peerReport({ machine, series, facts, loads, remarks }: PeerFigures): string {
  const names = PEERS.filter(({ name }) => name in facts);
  return [
    `${machine} The load generator shares the cores. Load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
    "",
    rateTable(series),
    "",
    factTable(facts),
    "",
    "What each leaves out, or does otherwise:",
    `- All but ours: ${ALL_LEAVE_OUT}`,
    ...names.filter(({ leavesOut }) => leavesOut !== "").map(({ label, leavesOut }) => `- ${label}: ${leavesOut}`),
    ...remarks,
  ].join("\n");
}

function rateTable(series: readonly PeerSeries[]): string {
  const head = [
    "case",
    "who",
    "per second",
    "min–max",
    "p50 ms",
    "p99 ms",
    "CPU µs: host + database",
    "rate, ours ÷ it",
    "CPU, it ÷ ours",
  ];
  const rows = series.map((one) => {
    const middle = (of: (round: PeerRound) => number): number => median(one.rounds.map(of));
    const rates = one.rounds.map(({ perSecond }) => perSecond);
    const ours = series.find((other) => other.case === one.case && other.peer === OURS);
    const times = ours === undefined || ours === one ? undefined : timesAsFast(ours.rounds, one.rounds);
    const [host, database] = cpuOf(one);
    return [
      one.case,
      labelOf(one.peer),
      wholeFigure(median(rates)),
      `${wholeFigure(Math.min(...rates))}–${wholeFigure(Math.max(...rates))}`,
      middle(({ p50 }) => p50).toFixed(1),
      middle(({ p99 }) => p99).toFixed(1),
      Number.isNaN(database + host) ? "" : `${wholeFigure(host)} + ${wholeFigure(database)}`,
      times?.toFixed(2) ?? "",
      times === undefined || ours === undefined ? "" : shareOf(cpuOf(one), cpuOf(ours)),
    ];
  });
  return markdownTable(head, rows);
}

/** Medians for one answer, of its process and of the database. */
function cpuOf({ rounds }: PeerSeries): [number, number] {
  return [
    median(rounds.map((round) => round.cpuMicroseconds ?? NaN)),
    median(rounds.map((round) => round.databaseMicroseconds)),
  ];
}

/** Hardly moved by what else the machine does, which rates are. */
function shareOf([host, database]: [number, number], ours: [number, number]): string {
  const share = (host + database) / (ours[0] + ours[1]);
  return Number.isNaN(share) ? "" : share.toFixed(2);
}

function factTable(facts: PeerFigures["facts"]): string {
  const head = [
    "who",
    `a key × ${String(AT_ONCE)} at once: effects`,
    "answers",
    "killed between effect and answer, sent again: effects",
    "answer",
  ];
  const rows = Object.entries(facts).map(([name, { atOnce, crash }]) => [
    labelOf(name),
    `${String(atOnce.effects)} of ${String(atOnce.keys)} keys`,
    Object.entries(atOnce.statuses)
      .map(([status, count]) => `${String(count)} × ${status}`)
      .join(", "),
    String(crash.effects),
    String(crash.status),
  ]);
  return markdownTable(head, rows);
}

function labelOf(name: string): string {
  return PEERS.find((peer) => peer.name === name)?.label ?? name;
}
