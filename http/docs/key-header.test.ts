import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIdempotencyKey } from "@/domain/idempotency/idempotency-key";
import { KEY_PATTERN, keyHeader } from "./key-header";

const RUNS = 2_000;
/** Pieces that decide: what a wrong rule would take for something else. */
const piece = fc.constantFrom(
  '"',
  "\\",
  '\\"',
  "\\\\",
  " ",
  ",",
  ", ",
  ";",
  "'",
  "a",
  "k".repeat(254),
  "\u00e9",
  "\t",
  "\0",
  "~",
);
const pieces = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
const quoted = pieces.map((text) => `"${text}"`);
/** HTTP takes the white space around a value away before anybody reads it. */
const value = fc
  .oneof(pieces, quoted, fc.stringMatching(/^"?[\x20-\x7e]{0,300}"?$/), fc.string({ unit: "binary" }))
  .map((text) => text.replace(/^[ \t]+|[ \t]+$/g, ""));

describe("the documented pattern of Idempotency-Key", () => {
  it("takes exactly the values that the parser takes", () => {
    const pattern = new RegExp(KEY_PATTERN);
    fc.assert(
      fc.property(value, (text) => pattern.test(text) === (parseIdempotencyKey([text]).kind === "key")),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['"order 1, item 2"', true],
    ['"   "', false],
    ['"  x"', true],
    ["it's", true],
    ['it"s', false],
  ])("says of %s: %s", (text, accepted) => {
    expect(new RegExp(KEY_PATTERN).test(text)).toBe(accepted);
    expect(parseIdempotencyKey([text]).kind === "key").toBe(accepted);
  });

  it("says of a late retry that it is refused only as far as the tenant's policy does", () => {
    const { description } = keyHeader(48) as { description: string };
    const about = description.split(/(?<=\.) /).filter((sentence) => /48 hours|410|executed/.test(sentence));
    expect(about).toHaveLength(1);
    expect(about[0]).toContain("unless the tenant's policy says otherwise");
  });

  it("leaves room for the longest value", () => {
    const longest = `"${'\\"'.repeat(255)}"`;
    const { schema } = keyHeader(24) as { schema: { maxLength: number } };
    expect([new RegExp(KEY_PATTERN).test(longest), longest.length]).toEqual([true, schema.maxLength]);
  });
});
