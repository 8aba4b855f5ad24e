import { markdownTable, wholeFigure } from "../../shared/markdown";
import { median } from "../report";
import type { Contender } from "./contender";
import { CONSUME, RELAY } from "./ours";

/** Jobs per second. */
export interface Round {
  readonly sent: number;
  readonly finished: number;
  /** Sent and finished, one after the other. */
  readonly total: number;
  /** Processor time per finished job, µs, of this process and of the database; NaN where it cannot be seen. */
  readonly client: number;
  readonly server: number;
}

export interface Series {
  readonly contender: Contender;
  readonly rounds: readonly Round[];
}

const COLUMNS = ["sent", "finished", "total"] as const;
const PLAIN = "plain SQL";

export function mediansOf({ rounds }: Series): Round {
  const of = (column: keyof Round): number => median(rounds.map((round) => round[column]));
  return { sent: of("sent"), finished: of("finished"), total: of("total"), client: of("client"), server: of("server") };
}

/** @returns one row per contender, then how many times each of ours is as fast as each rival. */
export function messageTable(series: readonly Series[]): string {
  const head = [
    "handler does",
    "who",
    ...COLUMNS.map((column) => `${column}/s`),
    "min–max finished",
    "of plain SQL",
    "CPU µs a job to finish: client + database",
  ];
  const lines = series.map((one) => {
    const { name, work } = one.contender;
    const middle = mediansOf(one);
    const finished = one.rounds.map((round) => round.finished);
    const plain = series.find((other) => other.contender.name === PLAIN && other.contender.work === work);
    return [
      work,
      name,
      ...COLUMNS.map((column) => wholeFigure(middle[column])),
      `${wholeFigure(Math.min(...finished))}–${wholeFigure(Math.max(...finished))}`,
      plain === undefined ? "" : (middle.finished / mediansOf(plain).finished).toFixed(2),
      Number.isNaN(middle.server) ? "" : `${wholeFigure(middle.client)} + ${wholeFigure(middle.server)}`,
    ];
  });
  return [markdownTable(head, lines), "", ...ratiosOf(series)].join("\n");
}

function isOurs({ contender }: Series): boolean {
  return [RELAY, CONSUME].some((name) => contender.name.startsWith(name));
}

function ratiosOf(series: readonly Series[]): string[] {
  const ours = series.filter((one) => isOurs(one));
  return ours.flatMap((own) =>
    series
      .filter((other) => other.contender.work === own.contender.work && !isOurs(other))
      .map((rival) => {
        const [mine, theirs] = [mediansOf(own), mediansOf(rival)];
        const ratios = COLUMNS.map((column) => `${column} ${(mine[column] / theirs[column]).toFixed(2)}`);
        return `${own.contender.name} ÷ ${rival.contender.name} (${own.contender.work}): ${ratios.join(", ")}`;
      }),
  );
}
