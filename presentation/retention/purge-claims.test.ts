import fc from "fast-check";
import { expect, it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { purgeClauses, purgeLean, purgeWhyNot, purgeWords, type PurgeFacts } from "./purge-claims";

/** One operation that is old enough, as the rows have it: with one body or two, and whether a purge takes its first bytes from a retry. */
interface Old {
  readonly bodies: number;
  readonly stays: "no" | "open" | "may run again";
  readonly replayed: boolean;
}
interface World {
  readonly old: readonly Old[];
  /** How many of them the preview looks at, and whether it is stopped before it has counted any. */
  readonly limit: number;
  readonly late: boolean;
}
const worlds = fc.record<World>({
  old: fc.array(
    fc.record({
      bodies: fc.constantFrom(1, 2),
      stays: fc.constantFrom("no", "no", "open", "may run again"),
      replayed: fc.boolean(),
    }),
    {
      maxLength: 4,
    },
  ),
  limit: fc.constantFrom(1, 2, 9),
  late: fc.constantFrom(false, false, true),
});

const BODY_BYTES = 100;
const bodiesOf = (old: readonly Old[]): number => old.reduce((sum, { bodies }) => sum + bodies, 0);

/** As the preview counts it. */
function previewOf({ old, limit, late }: World): PurgeFacts {
  const looked = late ? [] : old.slice(0, limit);
  const going = looked.filter(({ stays }) => stays === "no");
  return {
    operations: going.length,
    bodyRows: bodiesOf(going),
    bytes: String(bodiesOf(going) * BODY_BYTES),
    losingReplay: going.filter(({ replayed }) => replayed).length,
    skippedOpen: looked.filter(({ stays }) => stays === "open").length,
    mayRunAgain: looked.filter(({ stays }) => stays === "may run again").length,
    atLeast: !late && looked.length >= limit,
    tooBroad: late,
  };
}

const going = ({ old }: World): readonly Old[] => old.filter(({ stays }) => stays === "no");
const losing = (world: World): number => going(world).filter(({ replayed }) => replayed).length;
const skipped = ({ old }: World, why: Old["stays"]): number => old.filter(({ stays }) => stays === why).length;
/** "4" is so many, and "4+" so many or more. */
const so = (said: string, count: number): boolean =>
  said.endsWith("+") ? count >= figure(said) : count === figure(said);

it("TRUTH-1 says of a purge only what is so of all that has expired, also where the count was stopped", () => {
  holdSentences(
    worlds,
    (world) => {
      const facts = previewOf(world);
      const { effect, replay, skipped: left } = purgeWords(facts);
      const leaves = left.split(/(?<=\.) /);
      return [
        ...purgeClauses(facts).map(({ text }) => text),
        ...purgeLean(facts).split(/(?<=\.) /),
        `Effect: ${effect}`,
        replay,
        ...leaves.map((each) => `Skipped: ${each}`),
        ...[purgeWhyNot(facts) ?? []].flat(),
      ];
    },
    [
      [/^What has expired could not be counted in time\.$/, ({ late }) => late],
      [/^Not counted: the purge works in batches and says what it did\.$/, ({ late }) => late],
      [/^Nothing can be purged\.$/, (world) => going(world).length === 0],
      [
        /^([\d,]+\+?) bod(y|ies) can be purged, (\d+) bytes( or more)?\.$/,
        (world, count = "", one, bytes = "", more = "") =>
          so(count, bodiesOf(going(world))) &&
          so(more === "" ? bytes : `${bytes}+`, bodiesOf(going(world)) * BODY_BYTES) &&
          (one === "y") === (count === "1"),
      ],
      [/^No byte-equal replay is lost\.$/, (world) => losing(world) === 0],
      [
        /^([\d,]+\+?) (keys lose|key loses) byte-equal replay\.$/,
        (world, count = "", word) => so(count, losing(world)) && (word === "key loses") === (count === "1"),
      ],
      [/^([\d,]+\+?) skipped, still open\.$/, (world, count = "") => so(count, skipped(world, "open"))],
      [/^([\d,]+\+?) skipped, may run again\.$/, (world, count = "") => so(count, skipped(world, "may run again"))],
      [
        /^Frees (\d+) bytes( or more)?\.$/,
        (world, bytes = "", more = "") => so(more === "" ? bytes : `${bytes}+`, bodiesOf(going(world)) * BODY_BYTES),
      ],
      [/^([\d,]+\+?) keys? would answer without the stored bytes\.$/, (world, count = "") => so(count, losing(world))],
      [/^Effect: Expired command and answer bodies are removed for good, in batches\.$/, ({ late }) => late],
      [
        /^Effect: ([\d,]+\+?) bod(?:y|ies) of ([\d,]+\+?) operations?, (\d+) bytes( or more)?, (?:is|are) removed for good, in batches\.$/,
        (world, count = "", operations = "", bytes = "", more = "") =>
          so(count, bodiesOf(going(world))) &&
          so(operations, going(world).length) &&
          so(more === "" ? bytes : `${bytes}+`, bodiesOf(going(world)) * BODY_BYTES),
      ],
      [/^Byte-equal replay is lost for ([\d,]+\+?) keys?\.$/, (world, count = "") => so(count, losing(world))],
      [
        /^Not all of their keys were looked at: some may lose byte-equal replay\.$/,
        ({ old, late, limit }) => late || old.length >= limit,
      ],
      [/^Skipped: None\.$/, (world) => going(world).length === world.old.length],
      [
        /^Skipped: ([\d,]+\+?), because (it is|they are) in progress or unknown\.$/,
        (world, count = "", word) => so(count, skipped(world, "open")) && (word === "it is") === (count === "1"),
      ],
      [
        /^Skipped: ([\d,]+\+?), because (its key|their keys) may run again\.$/,
        (world, count = "", word) =>
          so(count, skipped(world, "may run again")) && (word === "its key") === (count === "1"),
      ],
      [
        /^Skipped: What is in progress, unknown or may run again\.$/,
        ({ late, old, limit }) => late || old.length >= limit,
      ],
    ],
  );
});

it("offers a purge that could not be counted in time", () => {
  expect(purgeWhyNot(previewOf({ old: [], limit: 9, late: true }))).toBeUndefined();
  expect(purgeWhyNot(previewOf({ old: [], limit: 9, late: false }))).toBe("Nothing can be purged.");
});
