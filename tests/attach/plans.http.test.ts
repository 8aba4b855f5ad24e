import { randomUUID } from "node:crypto";
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
let attachment: string;
beforeAll(async () => {
  host = await openHost("hono");
  admin = tillOf(host, await host.key(["admin"]));
  database = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(database, "UTC");
  await database.run(
    "insert into cap.published values (990001, 'v1', 'old', '{}', 0, '2020-01-01', '2020-01-16', 'Succeeded')",
  );
  await database.install(cap, { time_zone: "UTC" });
  const actor = { kind: "system", id: "test", name: "test" } as const;
  const ctx = engineContext(requireInProcess(host).deps.engine, { tenantId: host.tenant, actor, requestId: "r" });
  attachment = await attachDatabase(ctx, "orders-db", database.url);
});
afterAll(async () => {
  await closeAttachments();
  await database.drop();
  await host.close();
});

const post = (kind: string, attached: Readonly<Record<string, unknown>>) =>
  admin.post("/admin/plans", { kind, attached: { attachment, ...attached }, reason: "the table is long" });

it.each([
  ["a purge without its time", "purge_attached", {}],
  ["a purge of named rows", "purge_attached", { before: "2021-01-01T00:00:00Z", rows: ["out:1"] }],
  ["a time that is none", "purge_attached", { before: "yesterday" }],
  ["a time of what purges nothing", "requeue_attached", { before: "2021-01-01T00:00:00Z" }],
  ["a group that is too long", "discard_attached", { group: "x".repeat(501) }],
])("refuses %s", async (_what, kind, attached) => {
  expect((await post(kind, attached)).json).toMatchObject({ status: 422, code: "validation.body" });
});

it("freezes a purge by a time in any zone, and dead rows of an error as the list groups it", async () => {
  const purge = await post("purge_attached", { before: "2021-01-01T02:00:00+02:00" });
  expect(purge.json).toMatchObject({
    after: { kind: "purge_attached", total: 1, filter: { before: "2021-01-01T00:00:00.000Z", due: 1, more: false } },
  });
  const nothing = await post("requeue_attached", { group: "no such error" });
  expect(nothing.json).toMatchObject({ status: 422, code: "plan.nothing" });
  expect((await post("requeue_attached", { attachment: randomUUID() })).json).toMatchObject({
    ...{ status: 404, code: "attachment.not_found" },
  });
});

it("one person purges a few rows without a plan, and no more", async () => {
  const direct = (most: number) =>
    admin.post(`/admin/attachments/${attachment}/purge`, { before: "2021-01-01T00:00:00Z", most, reason: "a test" });
  expect((await direct(25)).json).toMatchObject({ status: 409, code: "plan.needed" });
  expect((await direct(1)).json).toMatchObject({ affected: 1 });
});
