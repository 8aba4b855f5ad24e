import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { DOUBTS_READ } from "@/db/risk/select-doubts";
import { SCAN_LIMIT } from "@/db/paging";
import { seed } from "@/demo/history/seed";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { nodesOf, explainStatement, type PlanNode, touchedBy } from "@/db/testing/statement-plan";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createEngineBase } from "@/engine/base";
import { engineContext, type EngineBase } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";
import { MEASURE_GAUGES } from "@/presentation/metrics/measures";
import { PAGE_READS } from "@/console/testing/page-reads";
import { SAMPLES_SQL, type PageSamples } from "@/console/testing/page-samples";

/** Three times what a page may look at: whatever walks a table shows. */
const OPERATIONS = 3 * SCAN_LIMIT;
const EVENTS = 4 * OPERATIONS;
const DOUBTS = 60_000;
/** That the seed may take on a machine that runs other tests too. */
const SEED_LIMIT_MS = 300_000;
/** Rows of big tables that one statement may touch: a look, and what hangs on the rows of a page. */
const TOUCHED = SCAN_LIMIT + 4_000;
/** Tables that grow with traffic; partitions have their names with the day behind. */
const BIG =
  /^(idempotency_(requests|events|bodies)|payments|refunds|voids|accounts|provider_requests|ledger_entries|notifications|outbox_history|inbox_(messages|arrivals)|message_attempts|settled_doubts|metric_(minutes|hours|messages|gauges|clients|client_days|refusals|suppressed|bins))(_\d{8})?$/;
/**
 * What a chart adds up is bounded by its range, whatever the traffic. Answers of a week and longer are read from hours, but gauges are
 * kept by the minute: two of them on the overview, six on the metrics, 10,080 minutes of a week.
 */
const WIDER: Readonly<Record<string, number>> = {
  "/ of a week": 24_000,
  "/ with a week of money at risk": 2 * DOUBTS_READ,
  "/ with a week three weeks ago": 2 * DOUBTS_READ,
  "/metrics of a week": 64_000,
  "/metrics of a month": 64_000,
  "/metrics of a month, by operation": 64_000,
  "/metrics of a year": 64_000,
};

const MINUTES_A_DAY = 1_440;

let test: TestDatabase;
let db: Database;
let base: EngineBase;
let samples: PageSamples;
let taken: () => Statement[];

beforeAll(async () => {
  test = await createTestDatabase();
  await seed({
    url: test.ownerUrl,
    tenant: "acme",
    operations: OPERATIONS,
    events: EVENTS,
    force: false,
    say: () => undefined,
  });
  // A month of doubts, each of minutes: 60,000, of which a week is less than a chart reads.
  await test.db.pool.query({
    text: `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
      select 'acme', gen_random_uuid(), 'payments.create', now() - make_interval(secs => n * 44 + 60 + n % 900), now() - make_interval(secs => n * 44), 100, 'EUR'
      from generate_series(1, $1::int) n`,
    values: [DOUBTS],
  });
  await test.db.pool.query({ text: "analyze onceboard.settled_doubts" });
  db = createDatabase({ url: test.url, max: 2 });
  taken = recordStatements(db);
  base = createEngineBase({
    db,
    instance: "plans-1",
    config: {
      leaseSeconds: 30,
      idempotencyTtlHours: 24,
      bodyTtlHours: 24,
      metadataTtlDays: 90,
      providerTimeoutMs: 400,
    },
    encryptionKeys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    secret: "a secret of this test",
    log: createLog("silent"),
  });
  const { rows } = await test.db.pool.query<PageSamples>({ text: SAMPLES_SQL, values: ["acme"] });
  if (rows[0] === undefined) throw new Error("the seed has no samples");
  samples = rows[0];
}, SEED_LIMIT_MS);
afterAll(async () => {
  await base.answers.close();
  await db.close();
  await test.drop();
});

/** What a page sends, without the frame of its transaction. */
async function statementsOf(name: string): Promise<Statement[]> {
  const page = PAGE_READS.find((each) => each.name === name);
  if (page === undefined) throw new Error(`no read ${name}`);
  taken();
  const actor = { kind: "operator", id: "op-1", name: "Mira Okafor", role: "admin" } as const;
  await page.read(engineContext(base, { tenantId: "acme", actor, requestId: "req-plans" }), samples);
  return taken().filter(({ text }) => /^\s*(select|with|\()/i.test(text));
}

/** What is wrong with a plan: walks of big tables, and more rows than a page may look at. */
function faultsOf(plan: PlanNode, most: number): string[] {
  const big = nodesOf(plan).filter((node) => BIG.test(node["Relation Name"] ?? ""));
  const walks = big.filter(
    (node) => node["Node Type"].includes("Seq Scan") && node["Actual Loops"] > 0 && touchedBy(node) > 0,
  );
  const rows = big.reduce((sum, node) => sum + touchedBy(node), 0);
  const sorts = nodesOf(plan).filter((node) => node["Node Type"] === "Sort" && touchedBy(node) > most);
  return [
    ...new Set(walks.map((node) => `walks ${node["Relation Name"] ?? ""}`)),
    ...(rows > most ? [`touches ${String(rows)} rows`] : []),
    ...sorts.map((node) => `sorts ${String(touchedBy(node))} rows`),
  ];
}

describe("every read of every page touches what an index gives it, and no more than a page may look at (LIST-3)", () => {
  it.each(PAGE_READS.map(({ name }) => name))("%s", async (name) => {
    const statements = await statementsOf(name);
    const faults: string[] = [];
    for (const statement of statements) {
      const own = faultsOf(await explainStatement(test.db, statement), WIDER[name] ?? TOUCHED);
      if (/\boffset\b/i.test(statement.text)) own.push("has an OFFSET");
      if (own.length > 0) faults.push(`${own.join(", ")}: ${statement.text.replaceAll(/\s+/g, " ").slice(0, 300)}`);
    }
    expect(statements.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it("sees a walk, and a page whose index is gone", async () => {
    const walk = await explainStatement(test.db, {
      text: "select sum(amount_minor) from onceboard.idempotency_requests",
      values: [],
    });
    expect(faultsOf(walk, TOUCHED)).toEqual(["walks idempotency_requests", `touches ${String(OPERATIONS)} rows`]);
    // Kinds are read again before it where the ones that are kept are old.
    const statements = await statementsOf("/operations of an account that did nothing");
    const list = statements.find(({ text }) => text.includes("idempotency_requests"));
    if (list === undefined) throw new Error("the list sent nothing");
    await test.db.pool.query({ text: "drop index onceboard.idempotency_requests_account" });
    const faults = faultsOf(await explainStatement(test.db, list), TOUCHED);
    expect(faults).not.toEqual([]);
  });
});

describe("reads of a window touch no more than their window", () => {
  /** Reads of a table, over all statements of a page. */
  async function readsOf(page: string, table: string): Promise<PlanNode[]> {
    const plans: PlanNode[] = [];
    for (const statement of await statementsOf(page))
      plans.push(...nodesOf(await explainStatement(test.db, statement)));
    const reads = plans.filter((node) => node["Relation Name"] === table);
    expect(reads).not.toEqual([]);
    return reads;
  }

  it.each(["/flow of now", "/flow of 1h", "/flow of 24h"])(
    "%s finds the operations of its messages in one search, and counts by the minutes of its window",
    async (page) => {
      const requests = await readsOf(page, "idempotency_requests");
      expect(Math.max(...requests.map((node) => node["Actual Loops"]))).toBe(1);
      const minutes = await readsOf(page, "metric_buckets");
      expect(Math.max(...minutes.map(touchedBy))).toBeLessThanOrEqual(MINUTES_A_DAY);
    },
  );

  it("a chart of gauges reads each along its own stretch of the key", async () => {
    const samples = await readsOf("/metrics of a month", "metric_gauges");
    expect(samples.map((node) => node["Actual Loops"])).toEqual([MEASURE_GAUGES.length]);
  });
});
