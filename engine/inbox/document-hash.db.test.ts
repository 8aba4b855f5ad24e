import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "../testing/environment";
import { documentHash, documentText } from "./document-hash";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

/** Of JSON texts, by SQL, in their order. */
async function hashedBySql(texts: readonly string[]): Promise<string[]> {
  const [row] = await env.rows<{ hashes: string[] }>(
    `select array_agg(encode(onceboard.document_hash(d::jsonb), 'hex') order by n) as hashes from unnest($1::text[]) with ordinality as t(d, n)`,
    texts,
  );
  return row?.hashes ?? [];
}
const hashed = (text: string): string => documentHash(JSON.parse(text)).toString("hex");

/** Whatever JSON.parse may give and jsonb holds: no NUL and no half of a surrogate pair. */
const storable = fc.string({ unit: "binary" }).filter((text) => !/\0|\p{Surrogate}/u.test(text));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc
    .tuple(fc.integer(), fc.integer({ min: -30, max: 30 }))
    .map(([digits, power]) => Number(`${String(digits)}e${String(power)}`)),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 4 },
    storable,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("document"), { maxLength: 4 }),
    fc.dictionary(storable, tie("document"), { maxKeys: 5 }),
  ),
}));

describe("the hash by which a sealed arrival is told from another payload (RETENTION-10)", () => {
  it("is the same in SQL and here, for any document", async () => {
    const texts = fc.sample(document, { numRuns: 3_000, seed: 32 }).map((each) => JSON.stringify(each));
    const there = await hashedBySql(texts);
    const differing = texts.filter((text, at) => there[at] !== hashed(text));
    expect(differing.slice(0, 3)).toEqual([]);
    expect(new Set(there).size).toBeGreaterThan(1_000);
  });

  it("is one for what jsonb takes for equal, and another for all else", async () => {
    const one = ['{"a":1.10,"bb":[1e2,"x"]}', '{"bb":[100.0,"x"],"a":1.1}', '{ "a": 11e-1, "bb": [ 100, "\\u0078" ] }'];
    expect(new Set([...(await hashedBySql(one)), ...one.map(hashed)]).size).toBe(1);
    const others = [
      '{"a":1.10,"bb":[1e2,"x "]}',
      '{"a":"1.10","bb":[100,"x"]}',
      '{"a":1.01,"bb":[100,"x"]}',
      '{"a":1.1,"bb":["x",100]}',
      '{"a":-1.1,"bb":[100,"x"]}',
    ];
    expect(new Set([...others, ...one].map(hashed)).size).toBe(others.length + 1);
    // A zero at the end of a text is no zero of a number, also behind a quote that is written with an escape.
    const texts = [
      '["1.0"]',
      '["1"]',
      '["\\"1.0"]',
      '["\\"1."]',
      '["\\\\",1.50]',
      '["a.0,1.0"]',
      '{"1.0":1}',
      '{"1":1.0}',
    ];
    expect(new Set([...(await hashedBySql(texts)), ...texts.map(hashed)]).size).toBe(texts.length);
    const sum = await hashedBySql(["[10000000000000000000000.0, 0.00, -0.0, 1e-9]"]);
    expect(sum).toEqual([hashed("[1e22, 0, 0, 1e-9]")]);
  });

  it("is of nothing that jsonb cannot hold", () => {
    for (const text of ["a\0b", "\ud800"]) expect(() => documentText([text])).toThrow(RangeError);
    expect(() => documentText({ "\udc00": 1 })).toThrow(RangeError);
  });
});
