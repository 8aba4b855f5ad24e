import { randomUUID } from "node:crypto";
import { valueOf } from "../cross-tenant/probes";
import type { ProbeTarget } from "../cross-tenant/routes";
import type { Random } from "../cross-tenant/random";
import type { Attempt, MakeAttempt } from "./attempt";
import { targetFor } from "./calls";
import { oddEncoded, oddMember, oddText } from "./odd-values";
import { bytesOf, requestBytes } from "./wire";

/** Requests that a route may take or refuse, with values that nobody thinks of. It never falls over them. */

type Header = readonly [string, string | Buffer];

/** Headers that something of ours reads, and what may stand in them. */
const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  traceparent: ["00-0-0-0", "00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff", "x".repeat(500)],
  tracestate: ["a=b,".repeat(200)],
  "x-request-timeout": ["-1", "abc", "1e9", "99999999999999999999", "0.5", ""],
  "x-forwarded-for": ["1.2.3.4, ".repeat(100), "::ffff:999.1.1.1", "unknown, -", "\u00ff"],
  "x-forwarded-proto": ["https, http", "javascript"],
  forwarded: ['for="[::1";proto=x', "=;=,"],
  accept: ["*/*;q=abc", "text/html, ".repeat(300), "application/vnd.x+json", ","],
  "accept-language": ["xx-yy-zz;q=9", "*", "\u00ff"],
  "accept-encoding": ["gzip;q=0, *;q=0", "x".repeat(2_000)],
  "content-encoding": ["gzip", "br", "identity, gzip", "nothing"],
  "if-match": ['"0"', "*", 'W/"1"', '"99999999999999999999"', "abc", '"\u0080"'],
  "if-none-match": ["*", '"', "W/"],
  range: ["bytes=0-", "bytes=-1", "bytes=9999999999999999999-"],
  cookie: [
    "session_token=",
    "ob_tenant=%00; ob_tenant=x",
    "=; ;;=",
    "a=".repeat(900),
    "session_token=a.b%2",
    "ob_tenant=\u00ff",
  ],
  origin: ["null", "http://localhost", "x", "http://[::1"],
  referer: ["http://%", "\u00ff"],
  "sec-fetch-site": ["cross-site", "x"],
  "onceboard-tenant": ["", "nobody", "a".repeat(300), "%00", "\u00ff\u00fe", "acme,globex"],
  "webhook-id": ["", "x".repeat(3_000), "\u0080"],
  "webhook-timestamp": ["-1", "NaN", "9".repeat(30), "0"],
  "webhook-signature": ["v1,", "v1,=== v1,x", "v9,abc", " ".repeat(50)],
  "content-type": [
    "application/json; charset=utf-16",
    'application/json; charset="',
    "application/json;;;",
    "application/cloudevents+json",
  ],
  priority: ["u=9, i=?2"],
  "user-agent": ["", "x".repeat(4_000), "\u00e4"],
};

function oddQuery({ query }: ProbeTarget, random: Random): string {
  const names = [...query, "tenant", "limit", "cursor", "sort", "from", "to", oddEncoded(random).slice(0, 40)];
  const pairs = Array.from({ length: random.below(5) }, () => `${random.pick(names)}=${oddEncoded(random)}`);
  const tail = random.pick(["", "", "", "&", "&=", "&&a", "&tenant", "?x"]);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}${tail}`;
}

/** Mostly one member of the body is odd, so that the others let it through to what is behind. */
function oddBody({ body }: ProbeTarget, random: Random): Buffer | undefined {
  if (body === undefined) return random.below(2) === 0 ? undefined : bytesOf(JSON.stringify(oddMember(random)));
  let left = 1 + random.below(2);
  const text = (format: string | undefined): unknown => {
    if (left > 0 && random.below(2) === 0) {
      left -= 1;
      return random.below(4) === 0 ? oddMember(random) : oddText(random);
    }
    return plainText(format);
  };
  const made = valueOf(body, { random, text });
  if (random.below(6) !== 0 || typeof made !== "object" || made === null) return bytesOf(JSON.stringify(made));
  const [name] = Object.keys(made);
  return bytesOf(JSON.stringify({ ...made, [name ?? "x"]: oddMember(random) }));
}

function plainText(format: string | undefined): string {
  if (format === "date-time") return new Date().toISOString();
  if (format === "email") return `${randomUUID()}@example.com`;
  return format === "uri" ? `https://example.com/${randomUUID()}` : randomUUID();
}

function oddHeaders(random: Random): readonly Header[] {
  const names = Object.keys(ODD_HEADERS);
  return Array.from({ length: random.below(3) }, () => {
    const name = random.pick(names);
    // Bytes of one each, as they come over the wire.
    return [name, Buffer.from(random.pick(ODD_HEADERS[name] ?? [""]), "latin1")] as const;
  });
}

/** @returns a request with odd values in its path, query, headers or body */
export const oddCall: MakeAttempt = ({ random, targets, callers, authority, key: own }) => {
  const target = random.pick(targets);
  const isRead = target.method === "GET";
  const body = isRead ? undefined : oddBody(target, random);
  const path = targetFor(target, random, () => (random.below(2) === 0 ? oddEncoded(random) : randomUUID()));
  const type: readonly Header[] = body === undefined ? [] : [["content-type", "application/json"]];
  const key: readonly Header[] = isRead ? [] : [["idempotency-key", own]];
  const bytes = requestBytes({
    method: isRead && random.below(20) === 0 ? "HEAD" : target.method,
    target: `${path}${oddQuery(target, random)}`.slice(0, 12_000),
    headers: [
      ["host", authority],
      ...random.pick(callers).headers,
      ...key,
      ...oddHeaders(random),
      ...type,
      ...(isRead ? [] : [["content-length", String(body?.length ?? 0)] as const]),
      ["connection", "close"],
    ],
    body,
  });
  return { kind: `${target.method} ${target.path}`, bytes, half: "never", good: 0, refused: false } satisfies Attempt;
};
