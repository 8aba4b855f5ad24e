import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import fc from "fast-check";
import { expect } from "vitest";

const RUNS = 500;

/**
 * What a sentence means: whether it is so by these facts. It reads the facts anew and the figures out of the sentence; it never asks the
 * predicate by which the sentence is said.
 */
export type Meaning<Facts> = readonly [
  sentence: RegExp,
  so: (facts: Facts, ...captured: (string | undefined)[]) => boolean,
];

/** A figure of a sentence. "10,000+" is read as 10000. */
export const figure = (text: string): number => Number(text.replace(/[,+]/g, ""));

/** Whether a sentence counts so many messages that wait: "10,000+" where counting stops. */
export const isWaitingCount = (text: string, waiting: number): boolean =>
  figure(text) === waiting && text.endsWith("+") === waiting >= WAITING_COUNTED;

/**
 * Fails unless every sentence that is said of generated facts has exactly one meaning and that is so, and each meaning came up.
 * @param say all that is said of these facts
 */
export function holdSentences<Facts>(
  facts: fc.Arbitrary<Facts>,
  say: (facts: Facts) => readonly string[],
  meanings: readonly Meaning<Facts>[],
): void {
  const met = new Set<RegExp>();
  fc.assert(
    fc.property(facts, (of) => {
      for (const text of say(of)) {
        const found = meanings.filter(([sentence]) => sentence.test(text));
        expect(found, `meanings of: ${text}`).toHaveLength(1);
        for (const [sentence, so] of found) {
          met.add(sentence);
          expect(so(of, ...(sentence.exec(text) ?? []).slice(1)), `is it so: ${text}`).toBe(true);
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(meanings.filter(([sentence]) => !met.has(sentence)).map(([sentence]) => sentence.source)).toEqual([]);
}
