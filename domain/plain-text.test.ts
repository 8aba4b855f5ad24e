import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlain, plainText, shownName } from "./plain-text";

const UNSEEN = [
  "\u0000",
  "\n",
  "\u001b",
  "\u007f",
  "\u0085",
  "\u200e",
  "\u202e",
  "\u2066",
  "\u061c",
  "\u2028",
  "\ufeff",
  "\u200b",
  "\ud800",
  "\u{e0041}",
];

describe("plain text", () => {
  it.each(UNSEEN)("%j is no part of a name, and is written out where an old one has it", (character) => {
    const name = `Ada${character}Lovelace`;
    expect(isPlain(name)).toBe(false);
    expect(shownName(name)).toMatch(/^Ada\[U\+[0-9A-F]{4,5}\]Lovelace$/);
    expect(isPlain(plainText(name, 100))).toBe(true);
  });

  it.each(["Ada Lovelace", "Łukasz Żółć", "李小龍", "محمد", "נועה", "می‌خواهم", "👩‍👩‍👧 family", "O’Brien-Smith"])(
    "%s is a name, and shown as it is",
    (name) => {
      expect(isPlain(name)).toBe(true);
      expect(shownName(name)).toBe(name);
    },
  );

  it("is one line of so many characters, whatever somebody sends", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const line = plainText(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(isPlain(line)).toBe(true);
        expect(isPlain(shownName(text))).toBe(true);
      }),
    );
    expect(plainText("  a\r\n\u202eb ", 10)).toBe("a b");
    expect(plainText("abcdef", 4)).toBe("abc…");
  });
});
