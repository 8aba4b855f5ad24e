import { markdownTable, wholeFigure } from "../../shared/markdown";
import { median } from "../report";

/** Claims of one round, alone and beside retention. */
export interface RetentionRound {
  readonly way: string;
  /** A second, the mean of before and after. */
  readonly alone: number;
  readonly beside: number;
  /** That retention expired, emptied and deleted. */
  readonly rows: number;
  /** Until nothing was due, or the claims ended. */
  readonly seconds: number;
  /** Nothing was due before the claims ended: they had a part of their time for themselves, which hides what retention costs. */
  readonly whole: boolean;
}

/** @param operations of the database, of which a day has a thirtieth */
export function retentionTable(rounds: readonly RetentionRound[], operations: number): string {
  const day = operations / 30;
  const head = ["retention", "claims alone/s", "beside it/s", "ratio (min–max)", "rows/s", "a day's rows take", ""];
  const ways = [...new Set(rounds.map(({ way }) => way))];
  const body = ways.map((way) => {
    const own = rounds.filter((round) => round.way === way);
    const ratios = own.map(({ alone, beside }) => beside / alone);
    const perSecond = median(own.map(({ rows, seconds }) => rows / seconds));
    return [
      way,
      wholeFigure(median(own.map(({ alone }) => alone))),
      wholeFigure(median(own.map(({ beside }) => beside))),
      `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
      wholeFigure(perSecond),
      `${wholeFigure((3 * day) / perSecond)} s`,
      own.some(({ whole }) => whole) ? "was done before the claims: take fewer --seconds" : "",
    ];
  });
  return `${markdownTable(head, body)}\n\nA day of ${wholeFigure(day)} operations: as many windows, bodies and keys.`;
}
