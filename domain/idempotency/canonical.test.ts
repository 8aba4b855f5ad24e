import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalCommand, canonicalize, differingFields, parseCanonicalCommand } from "./canonical";

/** Property runs; a wrong one in ten thousand would be a wrong payment a day. */
const RUNS = 10_000;

describe("the canonical form", () => {
  it("sorts members by UTF-16 code units, as RFC 8785 §3.2.3 shows", () => {
    const members = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const order = [...canonicalize(members).matchAll(/:"([^"]*)"/g)].map((match) => match[1]);
    expect(order).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  it.each<[number, string]>([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [-5e-324, "-5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [9.999999999999997e22, "9.999999999999997e+22"],
    [1e23, "1e+23"],
    [333333333.33333329, "333333333.3333333"],
    [1424953923781206.2, "1424953923781206.2"],
  ])("writes the number %d as RFC 8785 appendix B does", (value, text) => {
    expect(canonicalize(value)).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "refuses %d, which JSON cannot hold",
    (value) => {
      expect(() => canonicalize(value)).toThrow(TypeError);
    },
  );

  it("writes the literals of RFC 8785 §3.2.2 as it does", () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalize(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("is one text for equal values, whatever the order of their members, and is its own canonical form", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.infiniteStream(fc.boolean()), (value, coins) => {
        const text = canonicalize(value);
        expect(canonicalize(shuffled(value, coins) as never)).toBe(text);
        expect(canonicalize(JSON.parse(text) as never)).toBe(text);
        // -0 is written as 0.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: RUNS / 10 },
    );
  });
});

describe("the command that is fingerprinted", () => {
  const fields = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "__proto__"),
    fc.option(fc.string({ unit: "grapheme", maxLength: 12 }), { nil: null }),
    { minKeys: 1, maxKeys: 6 },
  );
  const command = (over: object) => ({ operation: "payments.create", apiVersion: "1", fields: {}, ...over });

  it("COMMAND-2 differs when one field differs, and only then", () => {
    fc.assert(
      fc.property(fields, fc.string({ unit: "grapheme", maxLength: 12 }), (one, value) => {
        const [name = ""] = Object.keys(one);
        const other = { ...one, [name]: value };
        const texts = [canonicalCommand(command({ fields: one })), canonicalCommand(command({ fields: other }))];
        expect(texts[0] === texts[1]).toBe(one[name] === value);
        expect(differingFields(command({ fields: one }), command({ fields: other }))).toEqual(
          one[name] === value ? [] : [name],
        );
      }),
      { numRuns: RUNS },
    );
  });

  it("COMMAND-3 holds the operation and the version of the API", () => {
    const texts = [command({}), command({ operation: "refunds.create" }), command({ apiVersion: "2" })].map(
      canonicalCommand,
    );
    expect(new Set(texts).size).toBe(3);
  });

  it("takes look-alike texts for different ones: nothing is normalised (RFC 8785 §3.1)", () => {
    const pairs = [
      ["é", "e\u0301"],
      ["acc_1", "аcc_1"],
      ["1", "１"],
      ["a", "a\u200b"],
      ["İ", "I"],
    ];
    for (const [one, two] of pairs)
      expect(canonicalCommand(command({ fields: { x: one } }))).not.toBe(
        canonicalCommand(command({ fields: { x: two } })),
      );
  });

  it("comes back from its stored text as it was", () => {
    fc.assert(
      fc.property(fields, (each) => {
        const stored = command({ fields: each });
        expect(parseCanonicalCommand(canonicalCommand(stored))).toEqual(stored);
      }),
      { numRuns: RUNS / 10 },
    );
    for (const bad of ["null", "[]", '{"operation":1}', '{"operation":"a","apiVersion":"1","fields":null}'])
      expect(() => parseCanonicalCommand(bad)).toThrow(SyntaxError);
  });
});

/** The same value with the members of each object in another order. */
function shuffled(value: unknown, coins: Iterator<boolean>): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, coins));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, shuffled(member, coins)] as const);
  return Object.fromEntries(coins.next().value === true ? entries.reverse() : entries);
}
