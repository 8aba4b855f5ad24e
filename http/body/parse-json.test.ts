import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json";
import { MAX_DEPTH } from "./scan-json";

describe("parseJson", () => {
  it("reads what JSON.parse reads, as long as it is storable and not too deep", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        if (/\\u0000|\\ud|\\uD|"__proto__"/.test(text)) return;
        expect(parseJson(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("says where numbers were written with a fraction or an exponent", () => {
    const text = '{"amount":10.00,"list":[1,2.5,{"a":1E3}],"text":"1.5","whole":7,"nested":{"amount":-0.1}}';
    expect(parseJson(text).fractions).toEqual(["amount", "list.1", "list.2.a", "nested.amount"]);
  });

  it.each([
    ["twice in one object", '{"a":1,"a":1}', "twice"],
    ["twice further in", '[{"x":{"a":1,"b":2,"a":3}}]', "twice"],
    ["twice by an escape", '{"a":1,"\\u0061":2}', "twice"],
    ["__proto__", '{"a":{"__proto__":1}}', "__proto__"],
    ["__proto__ by an escape", '{"\\u005f_proto__":1}', "__proto__"],
    ["too deep", `${"[".repeat(MAX_DEPTH + 1)}${"]".repeat(MAX_DEPTH + 1)}`, "nested"],
    ["NUL", '"\\u0000"', "NUL"],
    ["NUL in a name", '{"\\u0000":1}', "NUL"],
    ["a high surrogate alone", '"\\ud83dx"', "surrogate"],
    ["a low surrogate alone", '"\\ude00"', "surrogate"],
  ])("refuses %s", (_what, text, word) => {
    expect(() => parseJson(text)).toThrow(word);
  });

  it("accepts one name in two objects, names as values, a whole pair, and the deepest that is allowed", () => {
    expect(parseJson('[{"a":1},{"a":2}]').value).toEqual([{ a: 1 }, { a: 2 }]);
    expect(parseJson('{"a":"a","b":"a","c":["a","a"]}').value).toEqual({ a: "a", b: "a", c: ["a", "a"] });
    expect(parseJson('"\\ud83d\\ude00"').value).toBe("\u{1f600}");
    expect(parseJson(`${"[".repeat(MAX_DEPTH)}${"]".repeat(MAX_DEPTH)}`).fractions).toEqual([]);
    expect(parseJson('{"a":"{\\"b\\":1,\\"b\\":2}"}').value).toEqual({ a: '{"b":1,"b":2}' });
  });

  it("is quick on the largest body there is", () => {
    const started = performance.now();
    parseJson(`"${"\\\\".repeat(130_000)}"`);
    parseJson(`[${"1.5,".repeat(60_000)}1]`);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
