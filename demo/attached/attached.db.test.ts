import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AttachView } from "@/attach/contract/columns";
import { listRows } from "@/attach/read/list-rows";
import { closeAttachments, openAttachment, type OpenAttachment } from "@/console/attachments/open-attachment";
import { selectAttachments } from "@/db/attachments/attachments";
import { createDatabase } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createEngineBase } from "@/engine/base";
import type { EngineBase } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";
import { ATTACHED_NAMES, ensureAttached, type AttachedDatabases } from "./attached";
import { DATABASES } from "./databases";

const TENANT = "acme";
const ADA = { id: "op-ada", name: "Ada" };
const suffix = `_${randomBytes(4).toString("hex")}`;
const adminUrl = process.env["DATABASE_URL_TEST"] ?? "";

let test: TestDatabase;
let dataDir: string;
let engine: EngineBase;
let attached: AttachedDatabases | undefined;

beforeAll(async () => {
  test = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "onceboard-attached-"));
  await test.db.pool.query("insert into onceboard.tenants (id, name) values ('acme', 'Acme')");
  engine = createEngineBase({
    db: test.db,
    instance: "demo-attach",
    config: {
      ...{ leaseSeconds: 30, idempotencyTtlHours: 24, bodyTtlHours: 24, metadataTtlDays: 30, providerTimeoutMs: 400 },
    },
    encryptionKeys: `k1:${randomBytes(32).toString("base64")}`,
    secret: "of this test",
    log: createLog("silent"),
  });
  attached = await ensure();
});

afterAll(async () => {
  await attached?.close();
  await closeAttachments();
  await engine.answers.close();
  await test.drop();
  const admin = createDatabase({ url: adminUrl, max: 1, role: "owner" });
  const names = DATABASES.map((name) => `${name}${suffix}`);
  for (const name of names) await admin.pool.query({ text: `drop database if exists ${name} with (force)` });
  for (const role of [...names, `onceboard_attach${suffix}`])
    await admin.pool.query({ text: `drop role if exists ${role}` });
  await admin.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ensure = (): Promise<AttachedDatabases> =>
  ensureAttached({ server: { adminUrl, dataDir, suffix }, engine, tenantId: TENANT, by: ADA });

async function open(name: string): Promise<OpenAttachment> {
  const found = await openAttachment({ db: test.db, keyring: engine.keyring, tenantId: TENANT }, { name });
  if (found === undefined) throw new Error(`${name} is not attached.`);
  return found;
}

/** The states of a view, whose first page can be shown. */
async function statesOf(name: string, view: AttachView): Promise<readonly string[]> {
  const { foreign, manifest, row } = await open(name);
  const page = await listRows(foreign, row.installedAs, manifest, view);
  if (!page.shown) throw new Error(page.because);
  expect(page.rows.length).toBeGreaterThan(0);
  const rows = await foreign.query<{ state: string }>(`select distinct state from onceboard_attach.${view}`);
  return rows.map(({ state }) => state).sort();
}

it("makes three databases of other people that are attached, filled and readable (DEMO-2)", async () => {
  const rows = await selectAttachments(test.db.pool, TENANT, 10);
  expect(rows.map(({ name, preset, createdBy }) => [name, preset, createdBy])).toEqual([
    ["cap-orders", "cap", "Ada"],
    ["keys-api", "mapped-keys", "Ada"],
    ["pgboss-jobs", "pg-boss-10", "Ada"],
  ]);
  expect(await statesOf("cap-orders", "outgoing")).toEqual(["dead", "retrying", "scheduled", "sent"]);
  expect(await statesOf("cap-orders", "incoming")).toEqual(["dead", "done", "retrying", "scheduled"]);
  expect(await statesOf("cap-orders", "dead")).toEqual(["dead"]);
  expect(await statesOf("pgboss-jobs", "outgoing")).toEqual(["dead", "retrying", "sent", "waiting"]);
  expect(await statesOf("pgboss-jobs", "dead")).toEqual(["dead"]);
  expect(await statesOf("keys-api", "keys")).toEqual(["done", "failed", "in_progress"]);
});

it.each([
  ["cap-orders", `update cap.published set "Retries" = 0`],
  ["pgboss-jobs", "update pgboss.job set state = 'retry'"],
  ["keys-api", "delete from api_requests"],
])("the login of %s may do no more than its views and functions", async (name, statement) => {
  const { foreign } = await open(name);
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

it.each(Object.values(ATTACHED_NAMES).filter((name) => name !== "keys-api"))(
  "a dead row of %s is put back",
  async (name) => {
    const { foreign } = await open(name);
    const [dead] = await foreign.query<{ id: string }>("select id from onceboard_attach.dead limit 1");
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [dead?.id])).toEqual([
      { id: dead?.id, was: "dead", is_now: "retrying" },
    ]);
  },
);

it("its traffic goes on, and a second start keeps what the first one made (DEMO-2)", async () => {
  const newest = async (name: string, view: AttachView): Promise<number> => {
    const { foreign } = await open(name);
    const [row] = await foreign.query<{ at: Date }>(`select max(created_at) as at from onceboard_attach.${view}`);
    return row?.at.getTime() ?? 0;
  };
  const all = () =>
    Promise.all([newest("cap-orders", "outgoing"), newest("pgboss-jobs", "outgoing"), newest("keys-api", "keys")]);
  const before = await all();
  const ids = (await selectAttachments(test.db.pool, TENANT, 10)).map(({ id }) => id);
  await attached?.close();
  // As after a start at which the server has another port.
  await test.db.pool.query("update onceboard.attachments set shown = 'elsewhere:1/cap_orders'");
  attached = await ensure();
  await attached.step();
  const after = await all();
  for (const [index, at] of after.entries()) expect(at).toBeGreaterThan(before[index] ?? 0);
  expect((await selectAttachments(test.db.pool, TENANT, 10)).map(({ id }) => id)).toEqual(ids);
  expect((await selectAttachments(test.db.pool, TENANT, 10)).map(({ shown }) => shown.split("/")[0])).toEqual(
    Array.from({ length: 3 }, () => new URL(adminUrl).host),
  );
  const { foreign } = await open("cap-orders");
  const [count] = await foreign.query<{ rows: number }>(
    "select count(*)::integer as rows from onceboard_attach.outgoing",
  );
  expect(count?.rows).toBe(801);
});

it("each is attached once, by an act of the operator that the audit has, and what somebody removed comes back with the next start", async () => {
  const entries = async (): Promise<readonly unknown[]> => {
    const { rows } = await test.db.pool.query<Record<string, unknown>>(
      `select action, actor_id as by, actor_name as name, reason, after->>'name' as attached, subject_type as type
         from onceboard.audit_entries where action like 'attachments.%' order by sequence`,
    );
    return rows;
  };
  const made = (attached_: string) => ({
    ...{ action: "attachments.create", by: "op-ada", name: "Ada", type: "attachment", attached: attached_ },
    reason: "npm run demo -- --attach",
  });
  // The second start of the test before this one made none.
  expect(await entries()).toEqual(["cap-orders", "pgboss-jobs", "keys-api"].map(made));
  const [first] = await selectAttachments(test.db.pool, TENANT, 10);
  await attached?.close();
  await test.db.pool.query(
    "update onceboard.attachments set removed_at = now(), sealed = null where name = 'keys-api'",
  );
  attached = await ensure();
  expect((await entries()).slice(3)).toEqual([made("keys-api")]);
  const now = await selectAttachments(test.db.pool, TENANT, 10);
  expect(now.map(({ name }) => name)).toEqual(["cap-orders", "keys-api", "pgboss-jobs"]);
  expect(now[0]?.id).toBe(first?.id);
  expect(await statesOf("keys-api", "keys")).toContain("done");
});
