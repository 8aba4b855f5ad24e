import fc from "fast-check";
import { it } from "vitest";
import { claimWords } from "@/domain/page-claim";
import { holdSentences } from "../testing/hold-sentences";
import { buildPlaceChart, NOTHING_DONE } from "./place-chart";

const END = "2026-11-19T14:43:00.000000Z";
const MINUTES = 60;
const minute = (index: number): string =>
  new Date(Date.parse(END) - (MINUTES - index) * 60_000).toISOString().replace("Z", "000Z");

it("TRUTH-1 a place says that nothing was done only of the time that was rolled up", () => {
  const facts = fc.record({
    measured: fc.constantFrom(0, 1, 59, 60),
    failed: fc.constantFrom(undefined, 0, 3),
  });
  holdSentences(
    facts,
    ({ measured, failed }) => {
      const chart = buildPlaceChart({
        range: "1h",
        end: END,
        rolledUpMs: 5,
        samples: failed === undefined ? [] : [{ bucket: minute(0), succeeded: 0, failed, dead: 0 }],
        measured: Array.from({ length: measured }, (_, index) => minute(index)),
        latest: null,
      });
      return claimWords(NOTHING_DONE, chart.strips);
    },
    [
      [/^Nothing was rolled up of this time\.$/, ({ measured, failed }) => measured === 0 && failed === undefined],
      [
        /^Nothing was done here in what was rolled up of this time\.$/,
        ({ measured, failed = 0 }) => failed === 0 && measured < MINUTES,
      ],
      [/^Nothing was done here in this time\.$/, ({ measured, failed = 0 }) => failed === 0 && measured === MINUTES],
    ],
  );
});
