import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPartitionOffsets } from "./kafka-offsets";

describe("which offset may be committed", () => {
  it("is never one behind which a record waits for its answer, in whatever order answers come", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...Array(12).keys()]), (answers) => {
        const offsets = createPartitionOffsets<number>();
        const tickets = [...Array(12).keys()].map((record) => offsets.delivered(BigInt(record), record));
        const answered = new Set<number>();
        let committed = -1;
        for (const at of answers) {
          const ticket = tickets[at];
          if (ticket === undefined) throw new Error("no such record");
          answered.add(at);
          committed = offsets.answered(ticket) ?? committed;
          const open = [...Array(12).keys()].find((record) => !answered.has(record)) ?? 12;
          expect(committed).toBe(open - 1);
        }
      }),
    );
  });

  it("begins anew where a partition is delivered again, and old answers count for nothing", () => {
    const offsets = createPartitionOffsets<string>();
    const [first, second] = [offsets.delivered(7n, "first 7"), offsets.delivered(8n, "first 8")];
    const again = offsets.delivered(7n, "second 7");
    expect(offsets.answered(first)).toBeUndefined();
    expect(offsets.answered(second)).toBeUndefined();
    expect(offsets.answered(again)).toBe("second 7");
  });

  it("a hole in the offsets, as compaction and transactions leave, holds nothing up", () => {
    const offsets = createPartitionOffsets<number>();
    const [one, nine] = [offsets.delivered(1n, 1), offsets.delivered(9n, 9)];
    expect(offsets.answered(nine)).toBeUndefined();
    expect(offsets.answered(one)).toBe(9);
  });
});
