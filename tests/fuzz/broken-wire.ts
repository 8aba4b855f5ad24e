import { randomBytes } from "node:crypto";
import type { Random } from "../cross-tenant/random";
import { bytesOf, requestBytes, type WireRequest } from "./wire";
import { targetFor } from "./calls";
import type { Attempt, MakeAttempt, Material } from "./attempt";

/**
 * Requests that are none, or whose end nobody can find (RFC 9112). Each stands in front of a payment with a good key that would be
 * made if a parser took it all the same.
 */

const HOST = /host: [^\r]*/;
const CLOSE = ["connection", "close"] as const;
const JSON_TYPE = ["content-type", "application/json"] as const;
const BODY = bytesOf(JSON.stringify({ accountId: "acc_1", amount: "10.00", currency: "EUR" }));

type Change = (request: WireRequest, random: Random) => Buffer;

/** A payment that would be made, or in some of the cases a request to another route. */
function goodRequest({ callers, targets, random, authority, key }: Material): WireRequest {
  const till = callers.find(({ name }) => name.includes("payments")) ?? callers[0];
  const others = targets.filter(({ method, body }) => method === "POST" && body !== undefined);
  const other = random.below(3) === 0 ? random.pick(others) : undefined;
  const { headers = [] } = other === undefined ? (till ?? {}) : random.pick(callers);
  return {
    method: "POST",
    target: other === undefined ? "/api/v1/payments" : targetFor(other, random),
    headers: [["host", authority], ...headers, ["idempotency-key", key], JSON_TYPE, CLOSE],
    body: BODY,
  };
}

const lengthOf = ({ body }: WireRequest): string => String(body?.length ?? 0);
const withHeaders = (request: WireRequest, ...more: readonly (readonly [string, string | Buffer])[]): Buffer =>
  requestBytes({ ...request, headers: [...request.headers, ...more] });
const whole = (request: WireRequest): Buffer => withHeaders(request, ["content-length", lengthOf(request)]);

/** Replaces the request line, or the first place of something in the head. */
function replaced(request: WireRequest, from: string | RegExp, to: string): Buffer {
  return Buffer.from(
    whole(request)
      .toString("latin1")
      .replace(from, () => to),
    "latin1",
  );
}

const LINE = /^POST \S+ HTTP\/1\.1/;
const chunked = (
  request: WireRequest,
  body: string | Buffer,
  ...more: readonly (readonly [string, string])[]
): Buffer =>
  Buffer.concat([
    withHeaders({ ...request, body: undefined }, ["transfer-encoding", "chunked"], ...more),
    bytesOf(body),
  ]);
const chunkOf = (size: string, end = "\r\n"): string => `${size}\r\n${BODY.toString()}${end}0\r\n\r\n`;
const SIZE = BODY.length.toString(16);

const LINES: readonly string[] = [
  ...[
    "P\0ST /api/v1/payments HTTP/1.1",
    " /api/v1/payments HTTP/1.1",
    "P(ST) /api/v1/payments HTTP/1.1",
    "post /api/v1/payments HTTP/1.1",
  ],
  ...[
    "POST  HTTP/1.1",
    "POST /api/v1/pay ments HTTP/1.1",
    "POST /api/v1/payments\0 HTTP/1.1",
    "POST \\api\\v1\\payments HTTP/1.1",
  ],
  ...[
    "POST /api/v1/payments HTTP/9.9",
    "POST /api/v1/payments HTP/1.1",
    "POST /api/v1/payments HTTP/1",
    "POST /api/v1/payments HTTP/1.1 x",
  ],
  ...[
    "POST api/v1/payments HTTP/1.1",
    "POST * HTTP/1.1",
    "POST http:///api/v1/payments HTTP/1.1",
    "POST //[::1 HTTP/1.1",
  ],
  ...[
    "POST ftp://x/api/v1/payments HTTP/1.1",
    "POST http://a:b@x/api/v1/payments HTTP/1.1",
    "PRI * HTTP/2.0\r\n\r\nSM",
  ],
  ...[
    "QUERY /api/v1/payments HTTP/1.1",
    "TRACE /api/v1/payments HTTP/1.1",
    "CONNECT /api/v1/payments HTTP/1.1",
    "\x16\x03\x01\x02\x00\x01",
  ],
];
const HEADER_LINES: readonly string[] = [
  ...[
    "bad name: x",
    "no-colon",
    ": no name",
    "na\0me: x",
    "x: a\0b",
    "x: a\x01b",
    "x: a\rb",
    "\x80: x",
    "(x): y",
    "content-length : 1",
  ],
];
/** Bytes of "POST /api/v1/". */
const FIRST_WORDS = 13;
const LENGTHS: readonly string[] = [
  "-1",
  "abc",
  "1e3",
  "0x10",
  "",
  " ",
  "+10",
  "10, 20",
  "99999999999999999999",
  "1.5",
  "\0",
];
const SIZES: readonly string[] = [
  "zz",
  "-1",
  "",
  "ffffffffffffffff",
  "0x10",
  "1 0",
  "+5",
  "\0",
  "99999999999999999999999",
];
const CODINGS: readonly string[] = [
  "xchunked",
  "chunked, identity",
  "gzip",
  "chunked;q=1",
  "\x0bchunked",
  "identity",
  "chunked, chunked",
];
const OTHER_TALK: readonly (() => Buffer)[] = [
  () => randomBytes(300),
  () => Buffer.alloc(200),
  () => bytesOf("\r\n".repeat(50)),
  () => bytesOf("EHLO example.com\r\nMAIL FROM:<a@b>\r\n"),
  () =>
    Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), randomBytes(500)]),
  () => bytesOf("*1\r\n$4\r\nPING\r\n"),
  () => bytesOf('{"accountId":"acc_1"}\n'),
];

const CHANGES: Readonly<Record<string, Change>> = {
  "request line": (request, random) => replaced(request, LINE, random.pick(LINES)),
  "header line": (request, random) => replaced(request, "\r\n", `\r\n${random.pick(HEADER_LINES)}\r\n`),
  "headers too large": (request, random) => withHeaders(request, ["x", "y".repeat(17_000 + random.below(60_000))]),
  "too many headers": (request) =>
    requestBytes({
      ...request,
      headers: [...Array.from({ length: 3_000 }, () => ["x-many", "1"] as const), ...request.headers],
    }),
  "no host": (request) => replaced(request, /host: [^\r]*\r\n/, ""),
  "two hosts": (request) => replaced(request, HOST, "host: localhost\r\nhost: other.example"),
  "host that is none": (request, random) =>
    replaced(request, HOST, `host: ${random.pick(["a b", "a/b", "@", "[::1", "a:b:c", ""])}`),
  "content-length": (request, random) => withHeaders(request, ["content-length", random.pick(LENGTHS)]),
  "two content-lengths": (request) =>
    withHeaders(request, ["content-length", lengthOf(request)], ["content-length", "1"]),
  "length and chunks": (request) => chunked(request, chunkOf(SIZE), ["content-length", lengthOf(request)]),
  "body shorter than its length": (request) => withHeaders(request, ["content-length", String(BODY.length + 10)]),
  "body longer than its length": (request, random) =>
    withHeaders(request, ["content-length", String(1 + random.below(BODY.length - 1))]),
  "chunk size": (request, random) => chunked(request, chunkOf(random.pick(SIZES))),
  "chunk without its end": (request) => chunked(request, chunkOf(SIZE, "")),
  "chunk that breaks off": (request) => chunked(request, `${SIZE}\r\n${BODY.subarray(0, 10).toString()}`),
  "chunk extensions too large": (request) =>
    chunked(request, `${SIZE};${"x".repeat(40_000)}\r\n${BODY.toString()}\r\n0\r\n\r\n`),
  "trailer that is none": (request) => chunked(request, `${SIZE}\r\n${BODY.toString()}\r\n0\r\nbad trailer\r\n\r\n`),
  "transfer coding": (request, random) =>
    Buffer.concat([
      withHeaders({ ...request, body: undefined }, ["transfer-encoding", random.pick(CODINGS)]),
      bytesOf(chunkOf(SIZE)),
    ]),
  "breaks off": (request, random) => {
    const all = whole(request);
    return all.subarray(0, 1 + random.below(all.length - 1));
  },
  "bytes flipped in the head": (request, random) => {
    const all = Buffer.from(whole(request));
    // Of the line: a flip in a value of no meaning would leave a request that is whole.
    all[random.below(FIRST_WORDS)] = random.below(32);
    return all;
  },
  "expectation that nobody meets": (request) =>
    withHeaders(request, ["content-length", lengthOf(request)], ["expect", "200-ok"]),
  "another protocol": (_, random) => random.pick(OTHER_TALK)(),
};

const BREAKS_OFF = new Set(["breaks off", "body shorter than its length", "chunk that breaks off"]);

/** @returns a broken request, in some of the cases behind complete ones on the same connection */
export const brokenWire: MakeAttempt = (material) => {
  const { random } = material;
  const kind = random.pick(Object.keys(CHANGES));
  const broken = CHANGES[kind]?.(goodRequest(material), random) ?? Buffer.alloc(0);
  const good = random.below(5) === 0 ? 1 + random.below(4) : 0;
  const before = requestBytes({ method: "GET", target: "/api/health/live", headers: [["host", "localhost"]] });
  const bytes = Buffer.concat([...Array.from({ length: good }, () => before), broken]);
  const half = BREAKS_OFF.has(kind) ? "at once" : "when quiet";
  return { kind, bytes, half, good, refused: true } satisfies Attempt;
};
