import type { Random } from "../cross-tenant/random";

const LONG = 20_000;
/** All headers together have 16 kB. */
const QUERY_MOST = 6_000;

/** Texts that something behind a route has stumbled over somewhere: bytes, numbers, times, names of others' languages. */
export const ODD_TEXTS: readonly string[] = [
  ...["", " ", "\t", "\0", "a\0b", "\u0001", "\u007f", "\u0085", "\u2028", "\u202e", "\ufeff", "\ufffd", "\uffff"],
  ...["\ud800", "x\udfff", "😀", "é", "e\u0301", "ß".repeat(300), "𝒳".repeat(300)],
  ...["null", "undefined", "NaN", "Infinity", "-Infinity", "true", "[object Object]", "__proto__", "constructor"],
  ...["0", "-0", "-1", "1e309", "1e-400", "0x10", "9007199254740993", "99999999999999999999999999", "1_000", "١٢"],
  ...["0.1", "10.001", "1,5", "-10.00", "1e3", "00.10", ".5", "5."],
  ...["0000-00-00T00:00:00Z", "9999-12-31T23:59:59.999Z", "+275760-09-13T00:00:00Z", "-271821-04-20T00:00:00Z"],
  ...["2026-02-30", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T10:00:00+99:99", "now", "24h", "-1h"],
  ...["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "0192f0c1-0000-7000-8000"],
  ...["' or 1=1 --", "\\", "%", "%00", "%ff", "%zz", "$1", "a'b\"c`d", "{{7*7}}", "${x}", "<script>alert(1)</script>"],
  ...["..", "../../etc/passwd", "/", "//", "a/b", "?", "#", "a&b=c", ";", "*", "~", "COM1", "file:///etc/passwd"],
  ...["x".repeat(256), "x".repeat(LONG), "\n".repeat(100), "[".repeat(5_000)],
  ...[
    "http://127.0.0.1:1/",
    "https://[::1",
    "javascript:alert(1)",
    "a@b",
    "@",
    "a@b@c",
    "Europe/Nowhere",
    "EUR ",
    "eur",
  ],
];

/** What stands in a JSON body in the place of a text. */
const ODD_MEMBERS: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53, 2 ** 63, [], {}, [[]], [null], { a: {} }],
  JSON.parse('{"__proto__": {"x": 1}}'),
];

export function oddText(random: Random): string {
  return random.pick(ODD_TEXTS);
}

export function oddMember(random: Random): unknown {
  return random.below(3) === 0 ? random.pick(ODD_MEMBERS) : oddText(random);
}

/** As a query or a path may have it: mostly well encoded, sometimes not. */
export function oddEncoded(random: Random): string {
  const text = oddText(random);
  if (random.below(8) === 0)
    return random.pick(["%", "%0", "%gg", "%00", "%ff%fe", "%c0%af", "%ed%a0%80", "+", "%2e%2e"]);
  // A lone surrogate becomes the sign for what cannot be read.
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, QUERY_MOST);
}
