import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExact } from "../idempotency/exact-json";
import { bodyChanges, checkCorrection } from "./correction";
import { refusedBy } from "./correction-verdict";

const between = (before: string, after: string) => bodyChanges(parseExact(before), parseExact(after));

describe("bodyChanges", () => {
  it.each<[string, string, ReturnType<typeof bodyChanges>]>([
    ['{"a":1}', '{"a":1}', []],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', []],
    ['{"a":0.1}', '{"a":0.10}', [{ path: "a", kind: "changed", before: "0.1", after: "0.10" }]],
    [
      '{"a":123456789012345.67}',
      '{"a":123456789012345.68}',
      [{ path: "a", kind: "changed", before: "123456789012345.67", after: "123456789012345.68" }],
    ],
    ['{"a":10}', '{"a":"10"}', [{ path: "a", kind: "changed", before: "10", after: '"10"' }]],
    ['{"a":null}', "{}", [{ path: "a", kind: "removed", before: "null" }]],
    [
      '{"a":[1,2]}',
      '{"a":[1,3,4]}',
      [
        { path: "a[1]", kind: "changed", before: "2", after: "3" },
        { path: "a[2]", kind: "added", after: "4" },
      ],
    ],
    ['{"a":{"b":1}}', '{"a":[]}', [{ path: "a", kind: "changed", before: '{"b":1}', after: "[]" }]],
    ['{"a.b":1,"a":{"b":1}}', '{"a.b":2,"a":{"b":1}}', [{ path: '["a.b"]', kind: "changed", before: "1", after: "2" }]],
    ["1", "2", [{ path: "body", kind: "changed", before: "1", after: "2" }]],
  ])("%s, %s", (before, after, changes) => {
    expect(between(before, after)).toEqual(changes);
  });

  it("is empty exactly where two documents are the same", () => {
    const json = fc.json().filter((text) => !text.includes("__proto__"));
    fc.assert(
      fc.property(json, json, (one, two) => {
        expect(between(one, one)).toEqual([]);
        const same = JSON.stringify(sorted(JSON.parse(one))) === JSON.stringify(sorted(JSON.parse(two)));
        if (!same) expect(between(one, two)).not.toEqual([]);
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

describe("checkCorrection", () => {
  const operationId = "0199f0d2-0000-7000-8000-000000000001";
  const body = `{"id":"m1","type":"payment.succeeded","tenant":"acme","data":{"operationId":"${operationId}","amount":10.50}}`;
  const check = (text: string, of = body) => checkCorrection({ body: of, operationId }, text).problem;

  it("takes a change of the data", () => {
    expect(check(body.replace("10.50", '"10.50"'))).toBeUndefined();
  });

  it.each([
    [body, "unchanged"],
    [body.replace("10.50", "10.5"), "unchanged"],
    [body.replace("m1", "m2"), "kept"],
    [body.replace("acme", "globex"), "kept"],
    [body.replace('"type":"payment.succeeded",', ""), "kept"],
    [body.replace(operationId, "none"), "kept"],
    [body.replace(/"data":.*/, '"data":[]}'), "kept"],
    ["[]", "kept"],
    [body.replace("10.50", "1e999"), "inexact"],
    [body.replace("10.50", "12345678901234567890"), "inexact"],
    [body.replace("10.50", '"\\u0000"'), "not_storable"],
    [body.replace("10.50", '"\\ud800"'), "not_storable"],
    [body.replace("10.50", '{"__proto__":1}'), "not_storable"],
    [body.replace("10.50", '"__proto__"'), undefined],
    [body.replace("10.50", "[".repeat(40) + "]".repeat(40)), "not_storable"],
    [body.replace("10.50", "[".repeat(60_000) + "]".repeat(60_000)), "not_json"],
    [body.replace("10.50", '1,"amount":2'), "not_json"],
    ["", "not_json"],
    [body.replace("10.50", JSON.stringify(Array.from({ length: 250 }, (_, n) => n))), undefined],
    [`"${"ü".repeat(70_000)}"`, "too_large"],
  ])("refuses %.60s: %s", (text, code) => {
    expect(check(text)?.code).toBe(code);
    // What is wrong with it is in the words of whoever read it.
    if (code === "not_json")
      expect(check(text)?.text).toMatch(/^This is not valid JSON: .+\.$|^This is not valid JSON\.$/);
  });

  it.each([
    [body, "Nothing is changed yet."],
    [body.replace("10.50", "10.5"), "Only numbers differ, and they would be sent as before."],
    [body.replace("10.50", "1e999"), "A number may change when it is sent: write it as a text."],
    [body.replace("10.50", "12345678901234567890"), "A number may change when it is sent: write it as a text."],
    [
      body.replace("10.50", '{"a":"\\ud800"}'),
      "It has a character or a name that a message cannot hold: U+0000, half a surrogate pair, __proto__.",
    ],
  ])("says of %.60s why: %s", (text, why) => {
    expect(check(text)?.text).toBe(why);
  });

  it("says that numbers are sent as before exactly where they are", () => {
    // More digits than a number of JavaScript has: stored by another program.
    const stored = body.replace("10.50", "0.12345678901234567");
    const sent = (text: string) => JSON.stringify(JSON.parse(text));
    const same = stored.replace("0.12345678901234567", "0.12345678901234566");
    expect(sent(same)).toBe(sent(stored));
    expect(check(same, stored)?.text).toBe("Only numbers differ, and they would be sent as before.");
    const other = stored.replace("0.12345678901234567", "0.1234567890123457");
    expect(sent(other)).not.toBe(sent(stored));
    expect(check(other, stored)).toBeUndefined();
  });

  it("keeps what names a message that is no event", () => {
    const plain = '{"id":"m1","amount":1}';
    expect(check('{"id":"m2","amount":1}', plain)?.code).toBe("kept");
    expect(check('{"id":"m1","amount":2}', plain)).toBeUndefined();
  });
});

it.each([
  ["webhook.http_422", true],
  ["delivery.http_400", true],
  ["webhook.http_410", true],
  ["delivery.too_large", true],
  ["webhook.http_408", false],
  ["delivery.http_409", false],
  ["delivery.http_500", false],
  ["delivery.http_301", false],
  ["webhook.timeout", false],
  ["delivery.nacked", false],
  [undefined, false],
])("an attempt that ended in %s was refused: %s", (code, refused) => {
  expect(refusedBy(code)).toBe(refused);
});
