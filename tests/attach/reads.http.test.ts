import { afterAll, beforeAll, expect, it } from "vitest";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { attachDatabase } from "@/console/testing/attached";
import { engineContext } from "@/engine/context";
import { openHost, type TestHost } from "@/http/testing/host";
import { requireInProcess } from "@/http/testing/in-process";
import { tillOf, type Till } from "@/http/testing/till";

let host: TestHost;
let admin: Till;
let database: ForeignDatabase;
let rows: string;
beforeAll(async () => {
  host = await openHost("hono");
  admin = tillOf(host, await host.key(["admin"]));
  database = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(database, "UTC");
  await database.install(cap, { time_zone: "UTC" });
  const actor = { kind: "system", id: "test", name: "test" } as const;
  const ctx = engineContext(requireInProcess(host).deps.engine, { tenantId: host.tenant, actor, requestId: "r" });
  rows = `/admin/attachments/${await attachDatabase(ctx, "orders-db", database.url)}`;
});
afterAll(async () => {
  await closeAttachments();
  await database.drop();
  await host.close();
});

it("answers a list, one state of it, one row and the overview, and no password", async () => {
  const list = await admin.get(`${rows}/rows/outgoing`);
  expect(list.json).toMatchObject({ view: "outgoing", page: { kind: "rows" }, source: { name: "orders-db" } });
  const dead = await admin.get(`${rows}/rows/outgoing?state=dead`);
  const [row] = (dead.json?.["page"] as { rows: readonly { id: string; place: string }[] }).rows;
  expect(row?.id).toBe("out:104");
  const one = await admin.get(`${rows}/rows/outgoing/${row?.place ?? ""}`);
  expect(one.json).toMatchObject({ kind: "row", row: { id: "out:104", state: "dead" } });
  const overview = await admin.get(`${rows}/overview?range=7d`);
  expect(overview.json).toMatchObject({ range: "7d", notCounted: [] });
  for (const { text } of [list, dead, one, overview]) expect(text).not.toContain(new URL(database.url).password);
});

it.each([
  ["a cursor that is none", "/rows/outgoing?cursor=none", 400, "validation.cursor"],
  ["an unknown state", "/rows/outgoing?state=gone", 400, "validation.filter"],
  ["an unknown filter", "/rows/outgoing?colour=red", 400, "validation.filter"],
  ["a list that these tables have not", "/rows/keys", 404, "attachment.not_found"],
  ["a list that there is not", "/rows/nothing", 404, "attachment.not_found"],
])("refuses %s", async (_, path, status, code) => {
  const answer = await admin.get(`${rows}${path}`);
  expect({ status: answer.status, code: answer.json?.["code"] }).toEqual({ status, code });
});

it("knows no attachment of another id, and is closed to a key that is not for the admin routes", async () => {
  const other = await admin.get("/admin/attachments/0198aaaa-0000-7000-8000-000000000000/rows/outgoing");
  expect(other.json).toMatchObject({ status: 404, code: "attachment.not_found" });
  expect((await admin.get("/admin/attachments/orders-db/rows/outgoing")).status).toBe(404);
  const plain = tillOf(host, await host.key(["payments"]));
  expect((await plain.get(`${rows}/rows/outgoing`)).status).toBe(403);
});
