import { markdownTable, wholeFigure } from "../../shared/markdown";

/** Of one request. */
export interface CostRow {
  readonly case: string;
  /** That were measured. */
  readonly requests: number;
  readonly hostMicroseconds: number;
  readonly databaseMicroseconds: number;
  readonly walBytes: number;
  readonly storedBytes: number;
}

const MILLION = 1e6;
const HOUR_MICROSECONDS = 3.6e9;
const GIGABYTE = 1e9;
const HEAD = [
  ...["case", "requests", "API µs", "database µs", "log bytes", "stored bytes"],
  ...["API core hours", "database core hours", "log GB", "stored GB"],
];

/** @returns what one request costs, and in the last four columns a million of them */
export function costTable(rows: readonly CostRow[]): string {
  return markdownTable(
    HEAD,
    rows.map((row) => [
      row.case,
      ...[row.requests, row.hostMicroseconds, row.databaseMicroseconds, row.walBytes, row.storedBytes].map(wholeFigure),
      ...[row.hostMicroseconds, row.databaseMicroseconds].map((each) =>
        ((each * MILLION) / HOUR_MICROSECONDS).toFixed(2),
      ),
      ...[row.walBytes, row.storedBytes].map((each) => ((each * MILLION) / GIGABYTE).toFixed(2)),
    ]),
  );
}
