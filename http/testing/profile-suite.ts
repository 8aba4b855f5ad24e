import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireProfile } from "@/domain/access/permission";
import { ERRORS } from "@/tests/support/errors";
import type { ErrorRow } from "../docs/errors";
import { HOSTS } from "./host";
import { openStage, OUTCOMES, outcomesOf, type WireOutcome, type Seen, type WireStage } from "./outcomes";
import type { CheckedAnswer } from "./contract";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const matches = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const anId = matches(UUID);
const aTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const FINAL = { "x-should-retry": "false", "stripe-should-retry": "false" };
const HELP = { link: '</api/v1/docs#idempotency-key>; rel="describedby"' };
/** Of the connection, not of the answer. */
const TRANSPORT = ["connection", "content-length", "date", "keep-alive", "transfer-encoding", "vary"];
/** Next adds them to whatever it serves, for the console's sake. */
const OF_NEXT = ["cross-origin-opener-policy", "permissions-policy", "referrer-policy", "x-frame-options"];
const NOT_OURS: ReadonlySet<string> = new Set([...TRANSPORT, ...OF_NEXT]);

/** Outcomes that look the same in every profile. */
const PLAIN = ["first", "replay", "replay_by_reference", "minimal", "accepted", "unauthenticated"] as const;
type Plain = (typeof PLAIN)[number];
export type RefusedOutcome = Exclude<WireOutcome, Plain>;

export interface RenderedRefusal {
  readonly status: number;
  readonly body: unknown;
  /** Beside the headers that every profile sends. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** How one profile tells each refusal: status and whole body. */
export type RenderedRefusals = Readonly<Record<RefusedOutcome, (seen: Seen) => RenderedRefusal>>;

/**
 * One profile over every outcome, on every host: exact status, exact headers, exact body.
 *
 * @param contentType of its refusals
 */
export function profileSuite(profile: WireProfile, contentType: string, renderedRefusals: RenderedRefusals): void {
  describe.each(HOSTS)(`the profile ${profile} on %s`, (name) => {
    let stage: WireStage;
    beforeAll(async () => {
      stage = await openStage(name, profile);
    });
    afterAll(() => stage.close());

    it.each(outcomesOf(name))("%s", async (outcome) => {
      const seen: Seen = await OUTCOMES[outcome](stage);
      const result = isPlain(outcome) ? plain(outcome, seen) : renderedRefusals[outcome](seen);
      expect(seen.answer.status).toBe(result.status);
      expect(headersOf(seen.answer)).toEqual({
        ...COMMON[outcome](seen),
        ...(isPlain(outcome) ? {} : { "content-type": contentType }),
        ...result.headers,
      });
      expect(seen.answer.json).toEqual(result.body);
      if (profile === "problem" && result.status >= 400) {
        // What the document says of an error is what a caller meets.
        const { code, status, retryable } = seen.answer.json as Pick<ErrorRow, "code" | "retryable"> & {
          status: number;
        };
        const row = ERRORS.find((error) => error.code === code);
        expect([row?.status.includes(status), row?.retryable]).toEqual([true, retryable]);
      }
      if (outcome === "replay" || outcome === "refused_again") {
        expect(seen.answer.bytes.equals(seen.first?.bytes ?? Buffer.of())).toBe(true);
      }
    });
  });
}

function isPlain(outcome: WireOutcome): outcome is Plain {
  return (PLAIN as readonly string[]).includes(outcome);
}

function headersOf({ headers }: CheckedAnswer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_OURS.has(name)));
}

function plain(outcome: Plain, { answer, first }: Seen): RenderedRefusal {
  const aPayment = {
    paymentId: anId,
    status: "succeeded",
    accountId: "acc_1",
    amount: "10.00",
    currency: "EUR",
    merchantReference: matches(/^ref-/),
    channel: "web",
    createdAt: aTime,
  };
  switch (outcome) {
    case "first":
    case "replay":
      return { status: 201, body: aPayment };
    case "replay_by_reference":
      return { status: 201, body: first?.json };
    case "minimal":
      return { status: 201, body: undefined };
    case "accepted": {
      const operationId = answer.headers["operation-id"];
      const href = `/api/v1/operations/${String(operationId)}`;
      return { status: 202, body: { operationId, operationState: "IN_PROGRESS", href, retryAfterSeconds: 2 } };
    }
    case "unauthenticated":
      // Nobody knows yet whose error format it would be.
      return {
        status: 401,
        body: {
          type: "/api/v1/docs#error-auth-unauthenticated",
          title: "An API key is needed",
          status: 401,
          detail: matches(/Nothing was recorded\.$/),
          instance: `urn:onceboard:request:${String(answer.headers["request-id"])}`,
          code: "auth.unauthenticated",
          retryable: false,
        },
      };
  }
}

function base({ key }: Seen): Record<string, unknown> {
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "request-id": anId,
    ...(key !== undefined && { "idempotency-key": key }),
  };
}

function known(seen: Seen): Record<string, unknown> {
  const { answer, first } = seen;
  // A later request of a key names the same operation.
  const same = first?.headers["idempotency-key"] === answer.headers["idempotency-key"];
  return {
    ...base(seen),
    "operation-id": same ? first?.headers["operation-id"] : anId,
    "idempotency-expires": aTime,
  };
}

function kept(seen: Seen, status: "stored" | "replayed"): Record<string, unknown> {
  return {
    ...known(seen),
    "idempotency-status": status,
    "response-schema-version": "v1",
    ...(status === "replayed" && { "idempotent-replayed": "true" }),
  };
}

const json = { "content-type": "application/json" };
const payment = (seen: Seen) => `/api/v1/payments/${String(seen.answer.json?.["paymentId"])}`;

/** Headers that are the same whatever format a refusal has. */
const COMMON: Readonly<Record<WireOutcome, (seen: Seen) => Record<string, unknown>>> = {
  first: (seen) => ({ ...kept(seen, "stored"), ...json, location: payment(seen) }),
  replay: (seen) => ({ ...kept(seen, "replayed"), ...json, location: payment(seen) }),
  replay_by_reference: (seen) => ({
    ...kept(seen, "replayed"),
    ...json,
    location: seen.first?.headers["location"],
    "idempotency-replay": "reference",
  }),
  minimal: (seen) => ({
    ...kept(seen, "stored"),
    location: matches(/^\/api\/v1\/payments\//),
    "preference-applied": "return=minimal",
  }),
  refused: (seen) => ({ ...kept(seen, "stored"), ...FINAL }),
  refused_again: (seen) => ({ ...kept(seen, "replayed"), ...FINAL }),
  duplicate_reference: (seen) => ({ ...kept(seen, "stored"), ...FINAL }),
  conflict: (seen) => ({ ...known(seen), ...FINAL }),
  foreign_conflict: (seen) => ({ ...base(seen), ...FINAL }),
  in_flight: (seen) => ({ ...known(seen), "retry-after": "2" }),
  accepted: (seen) => ({
    ...known(seen),
    ...json,
    "retry-after": "2",
    location: `/api/v1/operations/${String(seen.first?.headers["operation-id"])}`,
  }),
  provider_timeout: (seen) => ({ ...known(seen), "retry-after": "2" }),
  unknown: (seen) => ({ ...known(seen), "retry-after": "60" }),
  provider_away: (seen) => ({ ...known(seen), "retry-after": "1" }),
  expired: (seen) => ({ ...known(seen), ...FINAL, ...HELP }),
  expired_long_ago: (seen) => ({ ...base(seen), ...FINAL, ...HELP }),
  purged: (seen) => ({ ...known(seen), ...FINAL }),
  too_large: (seen) => ({ ...known(seen), ...FINAL }),
  exhausted: (seen) => ({ ...known(seen), ...FINAL }),
  key_missing: (seen) => ({ ...base(seen), ...FINAL, ...HELP }),
  key_invalid: (seen) => ({ ...base(seen), ...FINAL, ...HELP }),
  malformed: (seen) => ({ ...base(seen), ...FINAL }),
  validation: (seen) => ({ ...base(seen), ...FINAL }),
  not_found: (seen) => ({ ...base(seen), ...FINAL }),
  unauthenticated: (seen) => ({
    ...base(seen),
    ...FINAL,
    "content-type": "application/problem+json",
    "www-authenticate": 'Bearer realm="onceboard"',
  }),
  forbidden: (seen) => ({ ...base(seen), ...FINAL }),
  rate_limit: (seen) => ({ ...base(seen), "retry-after": "1000" }),
  database_away: (seen) => ({ ...base(seen), "retry-after": "1" }),
};
