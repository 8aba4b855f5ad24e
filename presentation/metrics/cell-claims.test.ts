import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { cellWords, emptyMapWords, windowText } from "./cell-claims";

const RANGES = ["1h", "6h", "24h", "7d"] as const;
const HOURS = { "one hour": 1, "six hours": 6, "24 hours": 24, "seven days": 168 } as const;
const FROM = "2026-11-22T14:00:00.000Z";
/** "1 h 59 min" in minutes. */
const minutes = (text: string): number =>
  [...text.matchAll(/(\d+) (d|h|min)/g)].reduce(
    (sum, [, count = "", unit]) => sum + figure(count) * (unit === "d" ? 1_440 : unit === "h" ? 60 : 1),
    0,
  );

it("TRUTH-1 a cell says on how many operations its answers are, a map what it shows, a window how long it lasts", () => {
  const found = fc.option(
    fc.record({
      answers: fc.integer({ min: 0, max: 3 }),
      operations: fc.integer({ min: 1, max: 3 }),
      purged: fc.integer({ min: 0, max: 2 }),
    }),
    { nil: undefined },
  );
  holdSentences(
    fc.record({
      measure: fc.constantFrom("replayed" as const, "conflict" as const),
      compare: fc.constantFrom("yesterday" as const, "last-week" as const),
      counted: fc.constantFrom(undefined, null, 0, 2),
      compared: fc.constantFrom(undefined, 0, 5),
      found,
      range: fc.constantFrom(...RANGES),
      rolledUpMs: fc.constantFrom(undefined, 1),
      lasts: fc.constantFrom(undefined, 90, 119, 2_880, 3_000),
    }),
    ({ found: of, range, rolledUpMs, lasts, ...facts }) => {
      const cell = cellWords({ ...facts, found: of && { ...of, top: [] } });
      const to = new Date(Date.parse(FROM) + (lasts ?? 0) * 60_000).toISOString();
      return [
        ...(cell === "" ? [] : cell.split(/(?<=\.) /)),
        emptyMapWords({ range, rolledUpMs }),
        windowText(lasts === undefined ? undefined : { from: FROM, to }),
      ];
    },
    [
      [
        /^On (\d+) operations?\.$/,
        ({ found: of }, said = "") => of !== undefined && of.answers > 0 && figure(said) === of.operations,
      ],
      [
        /^(\d+) (replay|conflict)s? on purged operations, which no list has\.$/,
        ({ found: of, measure }, said = "", what) =>
          of !== undefined &&
          of.purged > 0 &&
          figure(said) === of.purged &&
          (measure === "conflict") === (what === "conflict"),
      ],
      [
        /^(Yesterday|Last week): (\d+)\.$/,
        ({ compare, compared }, when, said = "") =>
          figure(said) === compared && (compare === "yesterday") === (when === "Yesterday"),
      ],
      [
        /^Rolled up: (\d+)\.$/,
        ({ found: of, counted }, said = "") => of !== undefined && figure(said) === counted && counted !== of.answers,
      ],
      [/^No minute has been rolled up\. .+\.$/, ({ rolledUpMs }) => rolledUpMs === undefined],
      [
        /^Other times or counts may have some: choose above\. This shows (one hour|six hours|24 hours|seven days)\.$/,
        ({ rolledUpMs, range }, said) =>
          rolledUpMs !== undefined &&
          HOURS[said as keyof typeof HOURS] === Number.parseInt(range, 10) * (range.endsWith("d") ? 24 : 1),
      ],
      [/^What changed and what is in doubt below is about all of it\.$/, ({ lasts }) => lasts === undefined],
      [
        /^([\dhmind ]+)\. What changed and what is in doubt below is about this window\.$/,
        ({ lasts }, said = "") => minutes(said) === lasts,
      ],
    ],
  );
});
