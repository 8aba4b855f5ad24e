import fc from "fast-check";
import { expect, it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { purgeClauses, purgeLean, purgeWhyNot, purgeWords, type PurgeFacts } from "./purge-claims";

/** One operation that is old enough, as the rows have it: with one body or two, still open, or with a key that may be retried. */
interface Old {
  readonly bodies: number;
  readonly open: boolean;
  readonly retried: boolean;
}
interface World {
  readonly old: readonly Old[];
  /** How many of them the preview looks at, and whether it is stopped before it has counted any. */
  readonly limit: number;
  readonly late: boolean;
}
const worlds = fc.record<World>({
  old: fc.array(fc.record({ bodies: fc.constantFrom(1, 2), open: fc.boolean(), retried: fc.boolean() }), {
    maxLength: 4,
  }),
  limit: fc.constantFrom(1, 2, 9),
  late: fc.constantFrom(false, false, true),
});

const BODY_BYTES = 100;
const bodiesOf = (old: readonly Old[]): number => old.reduce((sum, { bodies }) => sum + bodies, 0);

/** As the preview counts it. */
function previewOf({ old, limit, late }: World): PurgeFacts {
  const looked = late ? [] : old.slice(0, limit);
  const going = looked.filter(({ open }) => !open);
  return {
    operations: going.length,
    bodyRows: bodiesOf(going),
    bytes: String(bodiesOf(going) * BODY_BYTES),
    losingReplay: going.filter(({ retried }) => retried).length,
    skippedOpen: looked.length - going.length,
    atLeast: !late && looked.length >= limit,
    tooBroad: late,
  };
}

const going = ({ old }: World): readonly Old[] => old.filter(({ open }) => !open);
const losing = (world: World): number => going(world).filter(({ retried }) => retried).length;
const skipped = ({ old }: World): number => old.filter(({ open }) => open).length;
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
      [/^(?:Nothing to do: n|N)othing has expired\.$/, (world) => going(world).length === 0],
      [
        /^([\d,]+\+?) bod(y|ies) (has|have) expired, (\d+) bytes\.$/,
        (world, count = "", one, has, bytes = "") =>
          so(count, bodiesOf(going(world))) &&
          figure(bytes) === figure(count) * BODY_BYTES &&
          (one === "y") === (count === "1") &&
          (has === "has") === (count === "1"),
      ],
      [/^No replay is lost\.$/, (world) => losing(world) === 0],
      [/^([\d,]+\+?) of their keys may still be retried\.$/, (world, count = "") => so(count, losing(world))],
      [/^([\d,]+\+?) skipped, still open\.$/, (world, count = "") => so(count, skipped(world))],
      [
        /^Frees (\d+) bytes( or more)?\.$/,
        (world, bytes = "", more = "") => so(more === "" ? bytes : `${bytes}+`, bodiesOf(going(world)) * BODY_BYTES),
      ],
      [/^([\d,]+\+?) keys? would answer by reference only\.$/, (world, count = "") => so(count, losing(world))],
      [/^No key that may still be retried is touched\.$/, (world) => losing(world) === 0],
      [/^Effect: Expired command and answer bodies are removed for good, in batches\.$/, ({ late }) => late],
      [
        /^Effect: ([\d,]+\+?) bod(?:y|ies) of ([\d,]+\+?) operations?, (\d+) bytes, (?:is|are) removed for good, in batches\.$/,
        (world, count = "", operations = "") =>
          so(count, bodiesOf(going(world))) && so(operations, going(world).length),
      ],
      [/^No key among them may still be retried\.$/, (world) => losing(world) === 0],
      [/^Byte-equal replay is lost for ([\d,]+\+?) keys?\.$/, (world, count = "") => so(count, losing(world))],
      [
        /^Not all of their keys were looked at: some may still be retried\.$/,
        ({ old, late, limit }) => late || old.length >= limit,
      ],
      [/^Skipped: None\.$/, (world) => skipped(world) === 0],
      [
        /^Skipped: ([\d,]+\+?), because they are in progress or unknown\.$/,
        (world, count = "") => so(count, skipped(world)),
      ],
      [/^Skipped: What is in progress or unknown\.$/, ({ late, old, limit }) => late || old.length >= limit],
      [/^Nothing is old enough\.$/, (world) => going(world).length === 0],
    ],
  );
});

it("offers a purge that could not be counted in time", () => {
  expect(purgeWhyNot(previewOf({ old: [], limit: 9, late: true }))).toBeUndefined();
  expect(purgeWhyNot(previewOf({ old: [], limit: 9, late: false }))).toBe("Nothing is old enough.");
});
