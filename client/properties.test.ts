import fc from "fast-check";
import { expect, it } from "vitest";
import { createClient } from "./create-client";
import { OnceboardError } from "./errors";
import { createMemoryStore } from "./pending-store";
import type { AttemptRecord } from "./retry-log";
import { DEFAULT_SCHEDULE } from "./schedule";
import { createFakeClock, type FakeClock } from "./testing/fake-clock";

/** One thing that may happen to an attempt, after so many milliseconds. */
interface Happening {
  readonly after: number;
  readonly what: "network" | "silence" | "garbage" | "endless" | number;
  readonly retryAfter: string | undefined;
  readonly code: string | undefined;
  readonly shouldRetry: boolean;
  readonly echo: boolean;
}

const happening: fc.Arbitrary<Happening> = fc.record({
  after: fc.nat(6_000),
  what: fc.oneof(
    fc.constantFrom("network" as const, "silence" as const, "garbage" as const, "endless" as const),
    fc.constantFrom(200, 201, 202, 302, 400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 500, 502, 503, 504),
  ),
  retryAfter: fc.constantFrom(
    undefined,
    "0",
    "1",
    "3",
    "9",
    "60",
    "1000000000",
    "Thu, 19 Nov 2026 14:00:07 GMT",
    "soon",
  ),
  code: fc.constantFrom(
    undefined,
    "idempotency.in_progress",
    "idempotency.outcome_unknown",
    "idempotency.payload_mismatch",
    "idempotency.key_expired",
    "payment.insufficient_funds",
  ),
  shouldRetry: fc.boolean(),
  echo: fc.boolean(),
});

/** A fetch that does what is written down, as long as there is something, and then fails. */
function scripted(
  happenings: readonly Happening[],
  clock: FakeClock,
  seen: { key: string | null; body: string; at: number }[],
) {
  return (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    const now = happenings[seen.length];
    const key = new Headers(init.headers).get("idempotency-key");
    if (init.method === "POST") seen.push({ key, body: init.body as string, at: clock.elapsed() });
    clock.advance(now?.after ?? 0);
    if (now === undefined || now.what === "network" || init.signal?.aborted) return Promise.reject(new Error("gone"));
    if (now.what === "silence") {
      clock.advance(60_000);
      return new Promise(() => undefined);
    }
    const headers = new Headers({ "content-type": "application/json" });
    if (now.retryAfter !== undefined) headers.set("retry-after", now.retryAfter);
    if (!now.shouldRetry) headers.set("x-should-retry", "false");
    if (now.echo && key !== null) headers.set("idempotency-key", key);
    if (now.what === 202) headers.set("location", "/api/v1/operations/op-1");
    if (now.what === "garbage") return Promise.resolve(new Response("<html>", { status: 200, headers }));
    if (now.what === "endless") return Promise.resolve(new Response(" ".repeat(2_000), { status: 201, headers }));
    return Promise.resolve(new Response(JSON.stringify({ code: now.code }), { status: now.what, headers }));
  };
}

it("CLIENT-1 CLIENT-3 whatever happens: tries and time are bounded, the key and the bytes are one, and pending means kept", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { maxLength: 15 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (happenings, dice) => {
        const clock = createFakeClock();
        const store = createMemoryStore();
        const seen: { key: string | null; body: string; at: number }[] = [];
        const attempts: AttemptRecord[] = [];
        const client = createClient({
          baseUrl: "https://pay.example.com",
          store,
          clock,
          random: () => dice,
          maxAnswerBytes: 1_000,
          fetch: scripted(happenings, clock, seen),
          onAttempt: (record) => attempts.push(record),
        });
        const ended = await client.payments.create({ accountId: "a", amount: 1, currency: "EUR" }).then(
          (answer) => answer,
          (error: unknown) => {
            if (error instanceof OnceboardError) return error;
            throw error;
          },
        );
        expect(attempts.length).toBeLessThanOrEqual(DEFAULT_SCHEDULE.maxAttempts);
        expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(DEFAULT_SCHEDULE.budgetMs);
        expect(clock.elapsed()).toBeLessThanOrEqual(DEFAULT_SCHEDULE.budgetMs);
        for (const { at } of seen) expect(at).toBeLessThan(DEFAULT_SCHEDULE.budgetMs);
        expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
        expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
        expect(seen[0]?.key).toBe(ended.key);
        const pending = ended instanceof OnceboardError && ended.pending;
        expect((await store.list()).map(({ key }) => key)).toEqual(pending ? [ended.key] : []);
        expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_record, index) => index + 1));
      },
    ),
    { numRuns: 400 },
  );
});
