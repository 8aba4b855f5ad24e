import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purgeExpiredBodies } from "@/console/actions/body-actions";
import { readRetention } from "@/console/read/deployment/read-retention";
import { holder } from "@/console/testing/meanings";
import { PREVIEW_SQL, PURGE_ORACLE, purgeQuery } from "@/console/testing/purge-oracle";
import { type KeptOperation, purgeWorlds, type PurgeWorld, writePurgeWorld } from "@/console/testing/purge-world";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { type Role, ROLES } from "@/domain/idempotency/states";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { engineContext } from "@/engine/context";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "@/engine/testing/environment";
import { retentionFacts, retentionRun } from "@/presentation/format/retention-words";
import { purgeClauses, purgeLean, purgeWords } from "@/presentation/retention/purge-claims";
import type { RetentionView } from "@/presentation/views/retention";

const RUNS = 40;
const BUDGET_MS = 4_000;
/** More than a preview looks at. */
const MANY = 10_200;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => env.rows<R>(text, ...values);
const as = (tenantId: string, role: Role) =>
  engineContext({ ...env.base, instance: "test-1" }, { tenantId, actor: operator(role), requestId: uuidv7() });

const meanings = holder(PURGE_ORACLE);
const wrong = (tenant: string, sentence: string, stopped = false): Promise<string | undefined> =>
  meanings.wrong(sentence, async (sql, captured) => {
    const [row] = await rows<{ holds: boolean }>(purgeQuery(sql), tenant, captured, stopped);
    return row?.holds ?? false;
  });

/** Everything that the page and its dialog say of a purge. */
function saidBy({ preview, run: { whyNot } }: RetentionView): readonly string[] {
  const { effect, replay, skipped } = purgeWords(preview);
  return [
    ...purgeClauses(preview).map(({ text }) => text),
    ...purgeLean(preview).split(/(?<=\.) /),
    ...(whyNot === undefined || whyNot.endsWith("needs the role admin.") ? [] : [`Not offered: ${whyNot}`]),
    `Effect: ${effect}`,
    replay,
    ...skipped.split(/(?<=\.) /).map((each) => `Skipped: ${each}`),
  ];
}

async function falseOf(tenant: string, view: RetentionView): Promise<readonly string[]> {
  const found = [];
  for (const sentence of saidBy(view)) found.push(await wrong(tenant, sentence, view.preview.tooBroad));
  return found.filter((each) => each !== undefined);
}

interface Counted {
  readonly losing: readonly string[] | null;
  readonly going: readonly string[] | null;
  readonly staying: readonly string[] | null;
}
/** The purge is an operation of its own, whose bodies are kept. */
const BODIES =
  "select distinct operation_id::text as id from onceboard.idempotency_bodies where tenant_id = $1 and operation_id = any ($2) order by 1";

/** Reads the page, holds what it says, purges, and holds what it said against what is left. */
async function falseSentences(world: PurgeWorld, role: Role): Promise<readonly string[]> {
  const { tenant } = await writePurgeWorld(rows, world);
  const view = await readRetention(as(tenant, role), {});
  const found = await falseOf(tenant, view);
  const [counted] = await rows<Counted>(PREVIEW_SQL, tenant);
  const { losing, going, staying, ...preview } = counted ?? { losing: [], going: [], staying: [] };
  expect(view.preview).toMatchObject(preview);
  expect(view.losing.map(({ operationId }) => operationId)).toEqual(losing ?? []);
  expect(view.run.allowed).toBe(role === "admin" && going !== null);
  await holdPurge(tenant, view, { going: going ?? [], staying: staying ?? [] });
  return found;
}

/** What was to go is gone, what was to stay is there, and the run says so. */
async function holdPurge(
  tenant: string,
  { preview }: RetentionView,
  { going, staying }: { readonly going: readonly string[]; readonly staying: readonly string[] },
): Promise<void> {
  const request: ActionRequest = {
    action: "retention.run",
    ...{ subject: { type: "tenant", id: tenant }, input: {} },
    ...{ idempotencyKey: uuidv7(), reason: "the month is over", receivedAt: 0 },
  };
  const { answer } = await purgeExpiredBodies(as(tenant, "admin"), request);
  const { operations, bodyRows, bytes } = preview;
  expect(answer.after).toMatchObject({ operations, bodyRows, bytes, more: false });
  expect((await rows<{ id: string }>(BODIES, tenant, [...going, ...staying])).map(({ id }) => id)).toEqual(staying);
  const after = await readRetention(as(tenant, "admin"), {});
  expect(after.preview).toMatchObject({ operations: 0, losingReplay: 0, skippedOpen: preview.skippedOpen });
  const [run] = after.runs.rows;
  if (run === undefined) throw new Error("no run is on record");
  const phrases = [[going.length, "operations?"] as const, [preview.skippedOpen, "skipped: still open"] as const];
  const expected = phrases.flatMap(([count, words]) => (count === 0 ? [] : [`^${String(count)} ${words}$`]));
  expect(retentionRun(run)).toBe("Purge of expired bodies");
  expect(retentionFacts(run)).toEqual(expected.map((each) => expect.stringMatching(each) as unknown));
  expect([run.rows, run.bytes]).toEqual([bodyRows, bytes]);
}

const OLD: KeptOperation = {
  ...{ operation: "payments.create", state: "COMPLETED", replay: "stored", ageHours: 30, keyHours: 24, size: 40 },
  purged: false,
};
const LIVE: KeptOperation = { ...OLD, keyHours: 720 };
const OPEN: KeptOperation = { ...OLD, state: "UNKNOWN_REQUIRES_RECOVERY" };
const AGAIN: KeptOperation = { ...LIVE, state: "FAILED_RETRYABLE" };
const world = (...kept: readonly KeptOperation[]): PurgeWorld => ({ kept, ttls: {} });
/** So that each sentence is said. */
const ALWAYS: readonly PurgeWorld[] = [
  world(),
  world(OLD),
  world(LIVE, LIVE),
  world(OLD, OPEN),
  world(OPEN),
  world(AGAIN),
  world(OLD, AGAIN),
  world({ ...LIVE, replay: "reference" }),
  world({ ...LIVE, replay: "none" }, LIVE),
  { kept: [OLD, { ...OLD, ageHours: 20 }], ttls: { "payments.create": 48 } },
];

/** Reads the page while its count waits for a lock, and cancels the count as its time limit does. */
async function stoppedView(tenant: string): Promise<RetentionView> {
  const holder = await env.owner.pool.connect();
  await holder.query("begin; lock table onceboard.idempotency_bodies in access exclusive mode");
  const view = readRetention(as(tenant, "admin"), {});
  const cancel =
    "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  for (let cancelled = 0; cancelled === 0;) cancelled = (await rows(cancel)).length;
  await holder.query("rollback");
  holder.release();
  return view;
}

describe("TRUTH-1 every sentence about a purge", () => {
  it("holds where it is said, and each is said", { timeout: propertyTimeout() }, async () => {
    for (const each of ALWAYS) expect(await falseSentences(each, "admin")).toEqual([]);
    const { tenant } = await writePurgeWorld(rows, world(...Array.from({ length: MANY }, () => OLD), OPEN, LIVE));
    const many = await readRetention(as(tenant, "admin"), {});
    expect(many.preview.atLeast).toBe(true);
    expect(await falseOf(tenant, many)).toEqual([]);
    const stopped = await stoppedView(tenant);
    expect(stopped.preview.tooBroad).toBe(true);
    expect(await falseOf(tenant, stopped)).toEqual([]);
    expect(meanings.neverSaid()).toEqual([]);
  });

  it(
    "holds in every state and at every age, and a purge does what was said",
    { timeout: propertyTimeout(BUDGET_MS) },
    async () => {
      const cases = fc.record({ each: purgeWorlds, role: fc.constantFrom(...ROLES) });
      await holdsFor(cases, { runs: RUNS, budgetMs: BUDGET_MS }, async ({ each, role }) => {
        expect(await falseSentences(each, role)).toEqual([]);
      });
    },
  );

  it("and a false one is found", async () => {
    const { tenant } = await writePurgeWorld(rows, world(OLD, LIVE, OPEN));
    const planted = [
      "Nothing can be purged.",
      "2 skipped, still open.",
      "Frees 161 bytes.",
      "2 keys would answer by reference only.",
      "Skipped: None.",
      "No replay is lost.",
      "All is well.",
    ];
    for (const sentence of planted) expect(await wrong(tenant, sentence)).toContain(sentence);
    expect(await wrong(tenant, "Frees 160 bytes.")).toBeUndefined();
  });
});
