import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents } from "@/db/operations/record-events";
import { purgeClientMetrics } from "@/db/retention/purge";
import { listClients } from "@/console/read/access/list-clients";
import { rolledEvent, emptyRollUps } from "@/console/testing/roll-up-world";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const VIEWER = { kind: "operator", id: "op-1", name: "Vic", role: "viewer" } as const;
let env: EngineTestEnvironment;
/** Yesterday, which is over. */
let day: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  day = Math.floor(Date.now() / DAY) * DAY - DAY;
  await emptyRollUps(env);
});

/** So many answers of a client at one moment. */
async function answers(at: number, client: string, count: number): Promise<void> {
  const one = () => rolledEvent(at, { client });
  await recordEvents(env.db.pool, Array.from({ length: count }, one));
}
const roll = (from: number, to: number) =>
  env.rows("select onceboard.roll_up($1, $2, $3, 150)", TENANT, new Date(from), new Date(to));
const days = (measure = "outcome:executed") =>
  env.rows(
    "select to_char(day, 'YYYY-MM-DD') as day, client, count from onceboard.metric_client_days where measure = $1 order by 1, 2",
    measure,
  );
const asDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe("REPORT-3 days of the clients' roll-up", () => {
  it("a day is added up when its last minute is, and again when an event of it comes late", async () => {
    await answers(day + HOUR, "till", 2);
    await answers(day + 20 * HOUR, "till", 3);
    await answers(day + 20 * HOUR, "web", 1);
    await roll(day, day + 23 * HOUR);
    expect(await days()).toEqual([]);
    await roll(day + 23 * HOUR, day + DAY);
    const whole = [
      { day: asDay(day), client: "till", count: 5 },
      { day: asDay(day), client: "web", count: 1 },
    ];
    expect(await days()).toEqual(whole);
    await answers(day + 2 * HOUR, "till", 4);
    await roll(day, day + DAY);
    expect(await days()).toEqual([{ ...whole[0], count: 9 }, whole[1]]);
  });

  it("two runs over different hours of one day leave all of it", async () => {
    await roll(day, day + DAY);
    await Promise.all([answers(day + 3 * HOUR, "till", 2), answers(day + 9 * HOUR, "till", 5)]);
    await Promise.all([roll(day + 3 * HOUR, day + 4 * HOUR), roll(day + 9 * HOUR, day + 10 * HOUR)]);
    expect(await days()).toEqual([{ day: asDay(day), client: "till", count: 7 }]);
  });

  it("a month on the page is what its hours and minutes say, whether days are there or not", async () => {
    await answers(day - 5 * DAY, "till", 2);
    await answers(day + DAY - MINUTE, "till", 3);
    const now = Math.floor(Date.now() / MINUTE) * MINUTE;
    // The first minute of a day is not closed yet.
    const today = now - MINUTE >= day + DAY ? 4 : 0;
    await answers(now - MINUTE, "till", today);
    await roll(day - 5 * DAY, day - 5 * DAY + HOUR);
    await roll(day, now);
    const ofMonth = async () => {
      const { rows } = await listClients(env.context({ actor: VIEWER }), { range: "30d" });
      return rows.map(({ client, requests }) => ({ client, requests }));
    };
    expect(await days()).toEqual([{ day: asDay(day), client: "till", count: 3 }]);
    // The first day has no row of its own, because its last minute was never rolled up; the migration makes those that are there before.
    await env.rows(
      "insert into onceboard.metric_client_days select tenant_id, (bucket at time zone 'utc')::date, client, measure, sum(count)::int, sum(sum), max(sum) from onceboard.metric_clients where bucket < $1 group by 1, 2, 3, 4",
      new Date(day),
    );
    const [told] = await ofMonth();
    expect(told).toMatchObject({ client: "till", requests: 5 + today });
    await env.rows("truncate onceboard.metric_client_days");
    expect(await ofMonth()).toEqual([told]);
  });

  it("days past the retention go in batches", async () => {
    await env.rows(
      `insert into onceboard.metric_client_days (tenant_id, day, client, measure, count, sum, top)
       select $1, (now() at time zone 'utc')::date - d, c, 'again', 1, 1, 1 from unnest('{399,402,403}'::int[]) d, unnest('{a,b}'::text[]) c`,
      TENANT,
    );
    expect(await purgeClientMetrics(env.db.pool, TENANT, 400, 3)).toBe(3);
    expect(await purgeClientMetrics(env.db.pool, TENANT, 400, 3)).toBe(1);
    expect(await days("again")).toHaveLength(2);
  });
});
