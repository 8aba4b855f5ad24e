import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { complete } from "@/db/operations/complete";
import { failRetryable } from "@/db/operations/transitions";
import { purgeMetrics } from "@/db/retention/purge";
import type { MadeOperation } from "@/db/testing/factories/made-operation";
import { AGE_STEPS, RISK_RANGES, type RiskRange, riskPoints, riskTime } from "@/domain/metrics/risk";
import { selectBegun, selectDoubtSpan, selectDoubtSteps, selectOpenBegun } from "./select-doubts";

/** Each writes and reads a tenant's doubts. */
const RUNS = 40;
const TENANT = "acme";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
beforeEach(() =>
  desk.rows(
    "truncate onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.settled_doubts, onceboard.provider_requests",
  ),
);

const pool = () => desk.context().db.pool;
const settled = (made: MadeOperation, state: "COMPLETED" | "FAILED_REPLAYABLE" = "COMPLETED") =>
  complete(pool(), {
    tenantId: TENANT,
    operationId: made.operationId,
    fence: made.fence,
    state,
    status: 201,
    schemaVersion: "1",
    resourceType: "payment",
    resourceId: made.paymentId,
    errorCode: undefined,
    replay: "none",
    headers: {},
    bodySealed: undefined,
  });
interface Kept {
  readonly operation_id: string;
  readonly minutes: number;
  readonly ago: number;
  readonly amount: string;
  readonly currency: string;
}
const kept = () =>
  desk.rows<Kept>(
    `select operation_id, round(extract(epoch from until - since) / 60)::int as minutes, round(extract(epoch from now() - until))::int as ago,
       amount_minor::text as amount, currency from onceboard.settled_doubts where tenant_id = $1`,
    TENANT,
  );

describe("RISK-1 a doubt is kept as it ends, by the function that ends it", () => {
  it.each<[string, (made: MadeOperation) => Promise<unknown>]>([
    ["completed", (made) => settled(made)],
    ["refused for good", (made) => settled(made, "FAILED_REPLAYABLE")],
    ["never received", (made) => failRetryable(pool(), TENANT, made.operationId, made.fence, "dependency.unavailable")],
  ])("%s", async (_how, end) => {
    const made = await desk.make.unknown({ minutes: 17, amountMinor: 4_200n });
    expect(await kept()).toEqual([]);
    await end(made);
    expect(await kept()).toEqual([
      { operation_id: made.operationId, minutes: 17, ago: 0, amount: "4200", currency: "EUR" },
    ]);
  });

  it("nothing of what was never in doubt", async () => {
    await desk.make.completed();
    await desk.make.failedReplayable();
    await desk.make.failedRetryable();
    expect(await kept()).toEqual([]);
  });

  it("goes with the minutes of the roll-up", async () => {
    await desk.rows(
      `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until)
       select $1, gen_random_uuid(), 'payments.create', now() - interval '40 days', now() - make_interval(days => d) from unnest(array[30, 32]) d`,
      TENANT,
    );
    await purgeMetrics(pool(), TENANT, 31, 10);
    expect(await kept()).toHaveLength(1);
  });
});

interface Doubt {
  /** Seconds before now. */
  readonly since: number;
  /** None: it lasts. */
  readonly until: number | undefined;
  readonly minor: bigint | undefined;
  readonly currency: string | undefined;
}
const near = (most: number) =>
  fc.oneof(
    fc.integer({ min: 0, max: most }),
    // On the points and on the borders of the ages themselves.
    fc.constantFrom(0, 15, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400),
  );
const doubt: fc.Arbitrary<Doubt> = fc
  .record({
    since: fc.oneof(near(100_000), near(700_000)),
    // In and out of doubt between two points too.
    lasted: fc.option(fc.oneof(near(100_000), fc.integer({ min: 0, max: 900 })), { nil: undefined }),
    money: fc.option(
      fc.record({
        minor: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
        currency: fc.constantFrom("EUR", "USD", "JPY"),
      }),
      { nil: undefined },
    ),
  })
  .map(({ since, lasted, money }) => {
    const until = lasted === undefined || lasted > since ? undefined : since - lasted;
    return { since, until, minor: money?.minor, currency: money?.currency };
  });

async function make(doubts: readonly Doubt[], now: string): Promise<void> {
  await desk.rows("truncate onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.settled_doubts");
  for (const { since, until, minor, currency } of doubts) {
    const values = [TENANT, now, since, minor?.toString() ?? null, currency ?? null];
    if (until === undefined)
      await desk.rows(
        `with made as (insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
             api_version, state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
           values ($1, 'payments.create', gen_random_uuid()::text, gen_random_uuid(), 'till', '\\x00', 1, '1', 'UNKNOWN_REQUIRES_RECOVERY', current_date,
             $4::bigint, $5, now(), now(), now(), now()) returning *)
         insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at, unknown_since)
         select tenant_id, operation_id, operation, key, 1, now(), $2::timestamptz - make_interval(secs => $3) from made`,
        ...values,
      );
    else
      await desk.rows(
        `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
         values ($1, gen_random_uuid(), 'payments.create', $2::timestamptz - make_interval(secs => $3), $2::timestamptz - make_interval(secs => $6), $4::bigint, $5)`,
        ...values,
        until,
      );
  }
}

/**
 * The same as what is true at the moment of each step at which most was in doubt, one moment after another.
 * @param order which moment of a step is shown
 */
async function oracle(
  doubts: readonly Doubt[],
  now: string,
  points: readonly string[],
  order = "c.minor desc, c.count desc, c.at",
): Promise<string[]> {
  const rows = await desk.rows<{ line: string }>(
    `with d as (select $2::timestamptz - make_interval(secs => x.since) as since, $2::timestamptz - make_interval(secs => x.until) as until,
         coalesce(x.minor, 0) as minor, coalesce(x.currency, 'none') as currency
       from jsonb_to_recordset($3::jsonb) x(since float8, until float8, minor bigint, currency text)),
     p as (select u.at, lead(u.at) over (order by u.n) as next, u.n from unnest($1::timestamptz[]) with ordinality u(at, n)),
     looked as (select p.n, p.at from p union select p.n, d.since from p join d on d.since > p.at and d.since < p.next),
     c as (select l.n, l.at, d.currency, sum(d.minor) as minor, count(*) as count
       from looked l join d on d.since <= l.at and (d.until is null or d.until > l.at) group by l.n, l.at, d.currency),
     shown as (select distinct on (c.n, c.currency) c.n, c.at, c.currency from c order by c.n, c.currency, ${order})
     select concat_ws(' ', s.n - 1, d.currency, a.step, sum(d.minor), count(*)) as line
     from shown s join d on d.currency = s.currency and d.since <= s.at and (d.until is null or d.until > s.at)
     join unnest($4::int[], $5::int[]) with ordinality a(lo, hi, step)
       on s.at - d.since >= make_interval(secs => a.lo) and (a.hi is null or s.at - d.since < make_interval(secs => a.hi))
     group by s.n, d.currency, a.step`,
    points,
    now,
    JSON.stringify(doubts.map(({ minor, ...rest }) => ({ ...rest, minor: minor?.toString() }))),
    AGE_STEPS.map(({ fromSeconds }) => fromSeconds),
    AGE_STEPS.map(({ toSeconds }) => toSeconds ?? null),
  );
  return rows.map(({ line }) => line).sort();
}

/** The changes added up, as the oracle says it. */
async function drawn(range: RiskRange, now: string, points: readonly string[]): Promise<string[]> {
  const changes = await selectDoubtSteps(pool(), TENANT, riskTime(range, now));
  const lines: string[] = [];
  for (const key of new Set(changes.map(({ currency, step }) => `${currency} ${String(step)}`))) {
    let [minor, count] = [0n, 0];
    for (const index of points.keys()) {
      for (const change of changes)
        if (`${change.currency} ${String(change.step)}` === key && change.index === index) {
          minor += BigInt(change.minor);
          count += change.count;
        }
      const [currency, step] = key.split(" ");
      if (count !== 0)
        lines.push(
          `${String(index)} ${currency === "" ? "none" : (currency ?? "")} ${String(Number(step) + 1)} ${String(minor)} ${String(count)}`,
        );
    }
  }
  return lines.sort();
}

describe("RISK-2 money in doubt over time is the most that was in doubt in each step", () => {
  it("over generated histories, of every age, currency and chart", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(doubt, { maxLength: 25 }), fc.constantFrom(...RISK_RANGES), async (doubts, range) => {
        const now = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
        await make(doubts, now);
        const points = riskPoints(riskTime(range, now));
        expect(await drawn(range, now, points)).toEqual(await oracle(doubts, now, points));
      }),
      { numRuns: RUNS },
    );
  });

  it("notices a step that shows its beginning", async () => {
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    const first = Date.parse(riskPoints(riskTime("7d", now))[100] ?? "");
    const since = (Date.parse(now) - first) / 1_000;
    const doubts: Doubt[] = [
      { since, until: since - 1_700, minor: 5n, currency: "EUR" },
      { since: since - 600, until: since - 660, minor: 7n, currency: "EUR" },
    ];
    await make(doubts, now);
    const points = riskPoints(riskTime("7d", now));
    const seen = await drawn("7d", now, points);
    expect(seen).toEqual(["100 EUR 1 7 1", "100 EUR 2 5 1"]);
    expect(seen).toEqual(await oracle(doubts, now, points));
    expect(seen).not.toEqual(await oracle(doubts, now, points, "c.at"));
  });

  it("notices a step of age that begins too late", async () => {
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    const doubts: Doubt[] = [{ since: 300, until: undefined, minor: 5n, currency: "EUR" }];
    await make(doubts, now);
    const points = riskPoints(riskTime("1h", now));
    const wrong = await oracle([{ ...doubts[0], since: 299 } as Doubt], now, points);
    expect(await drawn("1h", now, points)).not.toEqual(wrong);
  });
});

describe("what began in a window", () => {
  it("is counted by provider, settled or not, and what is still open by currency", async () => {
    const first = await desk.make.unknown({ minutes: 30, amountMinor: 1_000n });
    await desk.make.unknown({ minutes: 20, amountMinor: 250n });
    await desk.make.unknown({ minutes: 90, amountMinor: 9_999n });
    await settled(first);
    const [span] = await desk.rows<{ from: string; to: string }>(
      `select to_char(now() at time zone 'utc' - interval '40 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as from,
         to_char(now() at time zone 'utc' - interval '10 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as to`,
    );
    if (span === undefined) throw new Error("no time");
    expect(await selectBegun(pool(), TENANT, span)).toEqual([
      expect.objectContaining({ provider: "sandbox", count: 2 }),
    ]);
    expect(await selectOpenBegun(pool(), TENANT, span)).toEqual([{ currency: "EUR", minor: "250", count: 1 }]);
    expect(await selectDoubtSpan(pool(), TENANT, span)).toEqual({ doubts: 3, capped: false });
  });
});
