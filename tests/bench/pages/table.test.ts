import { describe, expect, it } from "vitest";
import type { ReadTime } from "./reader";
import { boundsTable, pageTable } from "./table";

const read = (sqlMs: number, processorMs = sqlMs + 5): ReadTime[] => [{ ms: 300, processorMs, sqlMs }];
const UNSEEN: ReadTime[] = [{ ms: 30, processorMs: Number.NaN, sqlMs: Number.NaN }];

describe("the bounds of the reads of pages", () => {
  it("a list and a chart have bounds of their own, on what the database works", () => {
    const figures = [
      { page: "/operations of a week", small: read(19), large: read(19) },
      { page: "/operations by amount", small: read(21), large: read(21) },
      { page: "/flow of 1h", small: read(21), large: read(49) },
      { page: "/metrics of a month", small: read(51), large: read(51) },
    ];
    expect(boundsTable(figures).split("\n").slice(2)).toEqual([
      "| lists and other reads | 2 | 20 | 1 | 21.0 | 2 |",
      "| charts | 2 | 50 | 1 | 51.0 | 1 |",
    ]);
    const marks = pageTable(figures, 10, 1_000).split("\n").slice(2);
    expect(Object.fromEntries(marks.map((line) => [line.split(" | ")[0]?.slice(2), line.split(" | ").at(-1)]))).toEqual(
      {
        "/operations of a week": " |",
        "/operations by amount": "slow |",
        "/flow of 1h": "grows |",
        "/metrics of a month": "slow |",
      },
    );
  });

  it("takes the whole time where the processes of the server cannot be seen", () => {
    const lines = boundsTable([{ page: "/operations", small: UNSEEN, large: UNSEEN }]).split("\n");
    expect(lines[2]).toBe("| lists and other reads | 1 | 20 | 0 | 30.0 | 1 |");
    expect(lines[3]).toBe("| charts | 0 | 50 | 0 |  | 0 |");
  });
});
