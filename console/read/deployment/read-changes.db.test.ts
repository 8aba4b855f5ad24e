import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { ChangesView, RiskView } from "@/presentation/views/risk";
import { readOverview } from "./read-overview";

const TENANT = "acme";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Each run writes a month of minutes. */
const RUNS = 25;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
const clear = () =>
  desk.rows(
    `truncate onceboard.metric_minutes, onceboard.metric_buckets, onceboard.metric_gauges, onceboard.deploys, onceboard.audit_entries,
       onceboard.settled_doubts, onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.provider_requests`,
  );
beforeEach(clear);

const iso = (ms: number): string => new Date(ms).toISOString();
/** Whole minutes ago, in ms. */
const ago = (minutes: number): number => Math.floor(Date.now() / MINUTE) * MINUTE - minutes * MINUTE;
const read = async (from: number, to: number): Promise<RiskView> =>
  (await readOverview(desk.context(), { risk: "2h", from: iso(from), to: iso(to) })).risk;
const changes = async (from: number, to: number): Promise<ChangesView> => (await read(from, to)).changes;

const counted = (from: number, minutes: number, day = 0) =>
  desk.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at)
     select $1, $2::timestamptz - make_interval(hours => 24 * $4) + make_interval(mins => m), now() from generate_series(0, $3::int - 1) m`,
    TENANT,
    iso(from),
    minutes,
    day,
  );
const rolled = (
  from: number,
  outcome: string,
  count: number,
  more: { day?: number; client?: string; p95?: number } = {},
) =>
  desk.rows(
    `insert into onceboard.metric_minutes (tenant_id, bucket, operation, client, outcome, count, latency_p95_ms)
     values ($1, $2::timestamptz - make_interval(hours => 24 * $3), 'payments.create', $4, $5, $6, $7)`,
    ...[TENANT, iso(from), more.day ?? 0, more.client ?? "till-web", outcome, count, more.p95 ?? null],
  );

interface Day {
  /** Minutes that were not rolled up. */
  readonly hole: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly p95: number | undefined;
  readonly outboxSeconds: number | undefined;
}
const OUTCOMES = ["unknown_entered", "in_progress", "conflict", "executed"] as const;
const day: fc.Arbitrary<Day> = fc.record({
  hole: fc.boolean(),
  counts: fc.record(
    Object.fromEntries(OUTCOMES.map((name) => [name, fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }))])),
  ),
  p95: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
  outboxSeconds: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
});

async function write(days: readonly Day[], from: number, minutes: number): Promise<void> {
  for (const [index, { hole, counts, p95, outboxSeconds }] of days.entries()) {
    // The window itself is whole; a day with a hole lacks its last minute.
    await counted(from, hole && index > 0 ? minutes - 1 : minutes, index);
    for (const [name, count] of Object.entries(counts))
      if (count > 0)
        await rolled(from, name, count, { day: index, ...(name === "executed" && p95 !== undefined && { p95 }) });
    if (outboxSeconds !== undefined)
      await desk.rows(
        `insert into onceboard.metric_gauges (tenant_id, bucket, name, value)
         values ($1, $2::timestamptz - make_interval(hours => 24 * $3), 'outbox_oldest_seconds', $4)`,
        ...[TENANT, iso(from), index, outboxSeconds],
      );
  }
}

const NAMES: Readonly<Record<string, string>> = {
  unknown_entered: "unknown",
  in_progress: "in_progress",
  conflict: "conflict",
  executed: "executed",
  first_answer: "first_answer",
  outbox_oldest_seconds: "oldest_outbox",
};

/** The same from the days themselves, by PostgreSQL's own median. @param centre `percentile_cont(0.5)`, or something false */
async function oracle(
  days: readonly Day[],
  from: number,
  centre = "percentile_cont(0.5) within group (order by v.value)",
) {
  const [found] = await desk.rows<{ days: number; rows: { name: string; value: number; usual: number }[] | null }>(
    `with entries as (select (e.n - 1)::int as n, e.d from jsonb_array_elements($1::jsonb) with ordinality e(d, n)),
     used as (select x.n from entries x where x.n > 0 and not (x.d ->> 'hole')::boolean
       and extract(isodow from ($2::timestamptz - make_interval(hours => 24 * x.n)) at time zone 'utc') < 6 order by x.n limit 20),
     vals as (
       select x.n, c.key as name, c.value::float8 as value from entries x cross join lateral jsonb_each_text(x.d -> 'counts') c
       union all select x.n, 'first_answer', (x.d ->> 'p95')::float8 from entries x
         where x.d ? 'p95' and (x.d -> 'counts' ->> 'executed')::int > 0
       union all select x.n, 'outbox_oldest_seconds', (x.d ->> 'outboxSeconds')::float8 * 1000 from entries x where x.d ? 'outboxSeconds'),
     usual as (select v.name, ${centre} as usual from vals v join used u on u.n = v.n group by v.name),
     spread as (select v.name, 1.4826 * percentile_cont(0.5) within group (order by abs(v.value - s.usual)) as mad
       from vals v join used u on u.n = v.n join usual s on s.name = v.name group by v.name),
     far as (select v.name, v.value, s.usual, abs(v.value - s.usual) / greatest(p.mad, case v.name
         when 'first_answer' then greatest(0.25 * s.usual, 100) when 'outbox_oldest_seconds' then greatest(0.25 * s.usual, 10000)
         else sqrt(s.usual + 1) end) as distance
       from vals v join usual s on s.name = v.name join spread p on p.name = v.name where v.n = 0)
     select (select count(*)::int from used) as days,
       (select jsonb_agg(jsonb_build_object('name', f.name, 'value', f.value, 'usual', f.usual) order by f.distance desc,
          array_position(array['unknown_entered', 'in_progress', 'conflict', 'executed', 'first_answer', 'outbox_oldest_seconds'], f.name))
        from (select * from far where distance >= 3 order by distance desc,
          array_position(array['unknown_entered', 'in_progress', 'conflict', 'executed', 'first_answer', 'outbox_oldest_seconds'], name) limit 3) f) as rows`,
    JSON.stringify(days),
    iso(from),
  );
  const text = (name: string, value: number): string =>
    name === "first_answer" || name === "outbox_oldest_seconds" ? formatDuration(value) : formatCount(value);
  return {
    days: found?.days ?? 0,
    rows: (found?.rows ?? []).map(({ name, value, usual }) => ({
      name: NAMES[name],
      value: text(name, value),
      usual: text(name, usual),
    })),
  };
}

const seen = ({ rows }: ChangesView) => rows.map(({ name, value, usual }) => ({ name, value, usual }));

describe("RISK-4 what changed is what is farthest from the median of the same minutes of the last working days", () => {
  it("over generated months", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 31 }),
        fc.integer({ min: 2, max: 12 }),
        async (days, minutes) => {
          await clear();
          const from = ago(30);
          await write(days, from, minutes);
          const told = await changes(from, from + minutes * MINUTE);
          const expected = await oracle(days, from);
          if (expected.days === 0) {
            expect(told.note).toContain("no earlier working day has data");
            expect(told.rows).toEqual([]);
            return;
          }
          expect(told.note).toContain(
            expected.days === 1
              ? "on the last working day with"
              : `on the last ${String(expected.days)} working days with`,
          );
          expect(told.note).toContain(`the same ${String(minutes)} minutes`);
          expect(seen(told)).toEqual(expected.rows);
          if (expected.rows.length === 0) expect(told.rest).toContain("Nothing is away from the usual.");
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("notices a mean that is called the usual", async () => {
    const from = ago(30);
    const one = (count: number): Day => ({
      hole: false,
      counts: { unknown_entered: count, in_progress: 0, conflict: 0, executed: 0 },
      p95: undefined,
      outboxSeconds: undefined,
    });
    // A working day, whatever day it is today.
    const odd = [5, 6, 7].find((back) => ![0, 6].includes(new Date(from - back * DAY).getUTCDay()));
    const days = [one(90), ...Array.from({ length: 14 }, (_, index) => one(index + 1 === odd ? 300 : 1))];
    await write(days, from, 5);
    const told = seen(await changes(from, from + 5 * MINUTE));
    expect(told).toEqual((await oracle(days, from)).rows);
    expect(told).not.toEqual((await oracle(days, from, "avg(v.value)")).rows);
  });

  it("compares nothing where the first minute was not rolled up, and says how far it was where the last ones are not", async () => {
    const from = ago(20);
    const uncompared = "not compared: the first minute of this window has no data";
    expect((await changes(from, from + 5 * MINUTE)).note).toBe(uncompared);
    await counted(from + 2 * MINUTE, 3);
    expect((await changes(from, from + 5 * MINUTE)).note).toBe(uncompared);
    await counted(from, 2);
    expect((await changes(from, from + 5 * MINUTE)).note).not.toBe(uncompared);
    await desk.rows(
      "delete from onceboard.metric_buckets where tenant_id = $1 and bucket >= $2",
      TENANT,
      iso(from + 3 * MINUTE),
    );
    for (let n = 1; n < 8; n += 1) await counted(from, 5, n);
    const told = await changes(from, from + 5 * MINUTE);
    expect(told.note).toContain("the same 3 minutes");
    expect(told.rest.join(" ")).toContain("3 of 5 minutes are compared");
  });

  it("compares no window that is longer than three hours", async () => {
    const { risk } = await readOverview(desk.context(), { risk: "24h" });
    expect(risk.changes.note).toBe(
      "not compared: in more than 3 hours a short change does not show. Choose a part of it",
    );
  });
});

describe("where a change comes from", () => {
  const usual = async (from: number, minutes: number): Promise<void> => {
    for (let n = 0; n < 9; n += 1) await counted(from, minutes, n);
  };

  it("names the client of most, and opens exactly its rows where it is all of them", async () => {
    const from = ago(20);
    await usual(from, 5);
    await rolled(from, "in_progress", 311);
    await rolled(from, "in_progress", 91, { client: "till-app" });
    await rolled(from, "conflict", 40, { client: "erp" });
    const { rows } = await changes(from, from + 5 * MINUTE);
    expect(rows.find(({ name }) => name === "in_progress")).toMatchObject({
      value: "402",
      usual: "0",
      from: "311 of 402 from till-web. All payments.create.",
      href: expect.stringMatching(/^\/operations\?answered=in_progress&from=.*&to=/) as string,
    });
    expect(rows.find(({ name }) => name === "conflict")).toMatchObject({
      from: "All from erp. All payments.create.",
      href: expect.stringMatching(/^\/conflicts\?client=erp&from=/) as string,
    });
  });

  it("names the provider of what became unknown, settled or not", async () => {
    const from = ago(30);
    await usual(from, 20);
    await desk.make.unknown({ minutes: 25 });
    await desk.make.unknown({ minutes: 22 });
    await rolled(from, "unknown_entered", 2, { client: "" });
    const { rows } = await changes(from, from + 20 * MINUTE);
    // Two of a count whose usual is none are not far from it by chance.
    expect(rows).toEqual([]);
    await desk.rows("update onceboard.metric_minutes set count = 48 where outcome = 'unknown_entered'");
    const [row] = (await changes(from, from + 20 * MINUTE)).rows;
    // The roll-up counted more than is kept.
    expect(row?.from).toMatch(/^Sent to sandbox, \d\d:\d\d:\d\d to \d\d:\d\d:\d\d UTC\.$/);
  });
});

describe("RISK-5 marks beside the window coincide, and are no cause", () => {
  const marked = async (from: number, to: number): Promise<string> => (await changes(from, to)).rest.at(-1) ?? "";
  const deploy = (at: number, version: string) =>
    desk.rows(
      "insert into onceboard.deploys (tenant_id, id, at, service, version, reported_by) values ($1, gen_random_uuid(), $2, 'api', $3, 'client:ci')",
      ...[TENANT, iso(at), version],
    );
  const audited = (at: number, action: string, subject: string, after: object = {}, before: object = {}) =>
    desk.rows(
      `insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id, before, after, previous_hash, hash)
       select $1, gen_random_uuid(), (select count(*) + 1 from onceboard.audit_entries), $2, 'operator', 'op-1', 'Mira', $3, 'topic', $4, $5, $6, '\\x00', '\\x00'`,
      ...[TENANT, iso(at), action, subject, JSON.stringify(before), JSON.stringify({ changed: true, ...after })],
    );

  it("none in the chart", async () => {
    const from = ago(30);
    expect(await marked(from, from + 5 * MINUTE)).toBe(
      "No deploy, policy change or pause began or ended in the window, nor in the 2 hours of the chart.",
    );
  });

  it("the nearest outside, by its nearest moment", async () => {
    const from = ago(60);
    await audited(from - 18 * MINUTE, "topics.pause", "analytics");
    await audited(from - 12 * MINUTE, "topics.resume", "analytics");
    await deploy(from + 40 * MINUTE, "2.31.0");
    expect(await marked(from, from + 12 * MINUTE)).toBe(
      "No deploy, policy change or pause began or ended in the window; the nearest in the chart, analytics paused 6 min, ended 12 minutes before.",
    );
  });

  it("those in the window, a change of a policy by what it changed", async () => {
    const from = ago(60);
    await deploy(from + MINUTE, "2.31.0");
    await audited(
      from + 2 * MINUTE,
      "policies.write",
      "payments.create",
      { overrides: { leaseSeconds: 30 } },
      { overrides: {} },
    );
    await audited(from + 3 * MINUTE, "policies.write", "payments.create", { changed: false, overrides: {} });
    const clock = (at: number): string => iso(at).slice(11, 16);
    expect(await marked(from, from + 12 * MINUTE)).toBe(
      `In the window: deploy of api 2.31.0 at ${clock(from + MINUTE)} UTC; policy change payments.create: lease 30 s at ${clock(from + 2 * MINUTE)} UTC.`,
    );
    const { marks } = await read(from, from + 12 * MINUTE);
    expect(marks.map(({ kind }) => kind)).toEqual(["deploy", "policy"]);
  });
});
