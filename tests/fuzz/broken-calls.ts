import { randomBytes, randomUUID } from "node:crypto";
import type { ProbeTarget } from "../cross-tenant/routes";
import type { Random } from "../cross-tenant/random";
import type { Attempt, MakeAttempt } from "./attempt";
import { bodyFor, targetFor } from "./calls";
import { bytesOf, requestBytes } from "./wire";

/** Requests that HTTP can carry and no route may take: bodies, content types, keys, methods and credentials that are none. */

interface Broken {
  readonly body?: Buffer;
  readonly type?: string | undefined;
  readonly key?: readonly (string | Buffer)[];
  readonly method?: string;
  readonly credentials?: readonly (readonly [string, string])[];
  readonly path?: string;
}
type Break = (body: Buffer, random: Random, target: ProbeTarget) => Broken;

const NOT_JSON: readonly (() => string)[] = [
  ...[
    "{",
    "}",
    "[",
    '"',
    "{'a':1}",
    "{a:1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":NaN}',
    '{"a":Infinity}',
    "undefined",
  ].map((text) => () => text),
  ...[
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":"\\ud80"}',
    '{"a":1}{"b":2}',
    "//x\n{}",
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":.5}',
    "\0",
    "<a/>",
  ].map((text) => () => text),
  ...['{"accountId":"a","accountId":"b"}', '{"a":{"x":1,"x":2}}'].map((text) => () => text),
  () => "[".repeat(100_000),
  () => `{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
];
const NOT_UTF8: readonly number[][] = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0x80],
  [0xe2, 0x82],
];
const NO_OBJECT: readonly string[] = ["null", "true", "0", '"text"', "[]", "[{}]", "1e999", "-0"];
const TYPES: readonly string[] = [
  "text/plain",
  "application/xml",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/",
  "json",
  "*/*",
  "application/json2",
  "",
];
const KEYS: readonly (string | Buffer)[] = [
  "",
  " ",
  '"',
  '"a',
  "a b",
  "ä",
  "\t",
  "k".repeat(300),
  "k".repeat(5_000),
  Buffer.from([0xff, 0xfe]),
  '""',
  'a"b',
  "a,b\u2028",
];
const METHODS = ["PUT", "PATCH", "DELETE", "PROPFIND", "LINK", "MKCOL", "SEARCH", "PURGE"];
const CREDENTIALS: readonly string[] = [
  "",
  "Bearer",
  "Bearer ",
  "Bearer x",
  "Basic Og==",
  "bearer null",
  `Bearer ${"k".repeat(4_000)}`,
  "Bearer ob_live_00000000",
  "Digest x",
  "Bearer a b c",
];

const BREAKS: Readonly<Record<string, Break>> = {
  "body that is no JSON": (_, random) => ({ body: bytesOf(random.pick(NOT_JSON)()) }),
  "body that breaks off": (body, random) => ({
    // At least a byte: some actions take a request without a body.
    body: body.subarray(0, 1 + random.below(body.length - 1)),
  }),
  "body with something behind it": (body) => ({ body: Buffer.concat([body, bytesOf("x")]) }),
  "body of noise": (_, random) => ({ body: randomBytes(1 + random.below(2_000)) }),
  "body that is no UTF-8": (_, random) => ({
    body: Buffer.concat([bytesOf('{"accountId":"'), Buffer.from(random.pick(NOT_UTF8)), bytesOf('"}')]),
  }),
  "body in UTF-16": (body) => ({ body: Buffer.from(body.toString(), "utf16le") }),
  "body that is no object": (_, random) => ({ body: bytesOf(random.pick(NO_OBJECT)) }),
  "body too large": (_, random) => ({ body: bytesOf(`{"a":"${"x".repeat(262_144 + random.below(200_000))}"}`) }),
  "content type": (_, random) => ({ type: random.pick(TYPES) }),
  "no content type": () => ({ type: undefined }),
  "key that is none": (_, random) => ({ key: [random.pick(KEYS)] }),
  "two keys": () => ({ key: [randomUUID(), randomUUID()] }),
  "no key": () => ({ key: [] }),
  method: (_, random) => ({ method: random.pick(METHODS) }),
  credentials: (_, random) => ({ credentials: [["authorization", random.pick(CREDENTIALS)]] }),
  "no credentials": () => ({ credentials: [] }),
  path: (_, random, { path }) => ({
    path: `${path.replaceAll(/:\w+/g, "x")}${random.pick(["/x/y", "%00", "/..%2f..", "%ff", "/%", "//", ";x", "/.", "\\", "%2e%2e/%2e%2e"])}`,
  }),
};
/** What only a route with a key, or with a body of one form, has to refuse. */
const OF_KEYED = new Set(["key that is none", "two keys", "no key"]);
const CALL = /^\/api\/v1\/(?:payments|refunds|accounts|payments\/:id\/void)$/;

/** @returns a request that its route must refuse */
export const brokenCall: MakeAttempt = ({ random, targets, callers, authority, key: own }) => {
  const kind = random.pick(Object.keys(BREAKS));
  const changing = targets.filter(({ method, path, body }) =>
    OF_KEYED.has(kind) ? method === "POST" && CALL.test(path) : method !== "GET" && body !== undefined,
  );
  const target = random.pick(changing);
  const caller = random.pick(callers);
  const good = bytesOf(JSON.stringify(bodyFor(target, random)));
  const broken = BREAKS[kind]?.(good, random, target) ?? {};
  const { body = good, key = [own], method = target.method, credentials = caller.headers } = broken;
  const type = "type" in broken ? broken.type : "application/json";
  const bytes = requestBytes({
    method,
    target: broken.path ?? targetFor(target, random),
    headers: [
      ["host", authority],
      ...credentials,
      ...key.map((one) => ["idempotency-key", one] as const),
      ...(type === undefined ? [] : [["content-type", type] as const]),
      ["content-length", String(body.length)],
      ["connection", "close"],
    ],
    body,
  });
  return { kind, bytes, half: "never", good: 0, refused: true } satisfies Attempt;
};
