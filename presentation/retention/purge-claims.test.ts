import fc from "fast-check";
import { expect, it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { purgeClauses, purgeLean, purgeWhyNot, purgeWords, type PurgeFacts } from "./purge-claims";

/**
 * One operation whose bodies are old enough, as the rows have it: with one body or two; it goes, is open, or failed without a final answer in
 * its window; a retry gets the stored answer, or the resource as it is, or the window of its key is over.
 */
interface Old {
  readonly bodies: number;
  readonly fate: "goes" | "open" | "not final";
  readonly retry: "stored" | "reference" | "over";
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
      fate: fc.constantFrom<Old["fate"]>("goes", "goes", "open", "not final"),
      retry: fc.constantFrom<Old["retry"]>("stored", "reference", "over"),
    }),
    { maxLength: 4 },
  ),
  limit: fc.constantFrom(1, 2, 9),
  late: fc.constantFrom(false, false, true),
});

const BODY_BYTES = 100;
const bodiesOf = (old: readonly Old[]): number => old.reduce((sum, { bodies }) => sum + bodies, 0);

/** As the preview counts it. */
function previewOf({ old, limit, late }: World): PurgeFacts {
  const looked = late ? [] : old.slice(0, limit);
  const goes = looked.filter(({ fate }) => fate === "goes");
  return {
    operations: goes.length,
    bodyRows: bodiesOf(goes),
    bytes: String(bodiesOf(goes) * BODY_BYTES),
    losingReplay: goes.filter(({ retry }) => retry === "stored").length,
    skippedOpen: looked.filter(({ fate }) => fate === "open").length,
    atLeast: !late && looked.length >= limit,
    tooBroad: late,
  };
}

const going = ({ old }: World): readonly Old[] => old.filter(({ fate }) => fate === "goes");
const losing = (world: World): number => going(world).filter(({ retry }) => retry === "stored").length;
const skipped = ({ old }: World): number => old.filter(({ fate }) => fate === "open").length;
/** "4" is so many, and "4+" so many or more. */
const so = (said: string, count: number): boolean =>
  said.endsWith("+") ? count >= figure(said) : count === figure(said);

it("TRUTH-1 says of a purge only what is so of all that has expired, also where the count was stopped", () => {
  holdSentences(
    worlds,
    (world) => {
      const facts = previewOf(world);
      const { effect, replay, skipped: left } = purgeWords(facts);
      return [
        ...purgeClauses(facts).map(({ text }) => text),
        ...purgeLean(facts).split(/(?<=\.) /),
        `Effect: ${effect}`,
        replay,
        `Skipped: ${left}`,
        ...[purgeWhyNot(facts) ?? []].flat(),
      ];
    },
    [
      [/^What has expired could not be counted in time\.$/, ({ late }) => late],
      [/^Not counted: the purge works in batches and says what it did\.$/, ({ late }) => late],
      [/^Nothing to purge\.$|^Nothing to do\.$/, (world) => going(world).length === 0],
      [
        /^([\d,]+\+?) bod(y|ies) (has|have) expired, (\d+) bytes\.$/,
        (world, count = "", one, has, bytes = "") =>
          so(count, bodiesOf(going(world))) &&
          figure(bytes) === figure(count) * BODY_BYTES &&
          (one === "y") === (count === "1") &&
          (has === "has") === (count === "1"),
      ],
      [/^No byte-equal replay is lost\.$/, (world) => losing(world) === 0],
      [/^([\d,]+\+?) skipped, still open\.$/, (world, count = "") => so(count, skipped(world))],
      [
        /^Frees (\d+) bytes( or more)?\.$/,
        (world, bytes = "", more = "") => so(more === "" ? bytes : `${bytes}+`, bodiesOf(going(world)) * BODY_BYTES),
      ],
      [/^([\d,]+\+?) keys? would answer without the stored bytes\.$/, (world, count = "") => so(count, losing(world))],
      [/^Effect: Expired command and answer bodies are removed for good, in batches\.$/, ({ late }) => late],
      [
        /^Effect: ([\d,]+\+?) bod(?:y|ies) of ([\d,]+\+?) operations?, (\d+) bytes, (?:is|are) removed for good, in batches\.$/,
        (world, count = "", operations = "") =>
          so(count, bodiesOf(going(world))) && so(operations, going(world).length),
      ],
      [/^Byte-equal replay is lost for ([\d,]+\+?) keys?\.$/, (world, count = "") => so(count, losing(world))],
      [
        /^Not all of their keys were looked at: some may lose byte-equal replay\.$/,
        ({ old, late, limit }) => late || old.length >= limit,
      ],
      [/^Skipped: None\.$/, (world) => skipped(world) === 0],
      [
        /^Skipped: ([\d,]+\+?), because they are in progress or unknown\.$/,
        (world, count = "") => so(count, skipped(world)),
      ],
      [/^Skipped: What is in progress or unknown\.$/, ({ late, old, limit }) => late || old.length >= limit],
      [/^Nothing can be purged\.$/, (world) => going(world).length === 0],
    ],
  );
});

it("offers a purge that could not be counted in time", () => {
  expect(purgeWhyNot(previewOf({ old: [], limit: 9, late: true }))).toBeUndefined();
  expect(purgeWhyNot(previewOf({ old: [], limit: 9, late: false }))).toBe("Nothing can be purged.");
});
