import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { closeAttachments } from "@/console/attachments/open-attachment";
import type { ExportFile } from "@/console/exports/export-file";
import { listAllViews, listViews } from "@/console/saved-views/list-views";
import { saveView } from "@/console/saved-views/write-views";
import { attachDatabase } from "@/console/testing/attached";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { sourceViewPage } from "@/presentation/list/source-view-page";
import { exportSource } from "./export-source";

let desk: Desk;
let id: string;
let database: ForeignDatabase;
beforeAll(async () => {
  desk = await openDesk();
  database = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(database, "UTC");
  await database.run(
    `insert into cap.published select 1000 + n, 'v1', case n when 130 then '=1+1' else 'orders.shipped' end, '{}', 0, now(), null, 'Succeeded' from generate_series(1, 130) n`,
  );
  await database.install(cap, { time_zone: "UTC" });
  id = await attachDatabase(admin(), "orders-db", database.url);
});
afterAll(async () => {
  await closeAttachments();
  await database.drop();
  await desk.close();
});

const admin = (tenant?: string) => desk.context("admin", tenant);
const SMALL = { pageRows: 50, maxRows: 1_000 };

async function linesOf(file: ExportFile | undefined): Promise<readonly string[]> {
  if (file === undefined) throw new Error("no file");
  let text = "";
  for await (const chunk of file.chunks) text += chunk;
  return text.split("\r\n").slice(0, -1);
}
const entries = () =>
  desk.rows<{ subject_id: string; after: unknown; evidence: unknown }>(
    "select subject_id, after, evidence from onceboard.audit_entries where action = 'exports.attached_rows' order by sequence",
  );

describe("a list of an attached database as a file", () => {
  it("has every row once, in the order of the list, over several statements", async () => {
    const file = await exportSource(admin(), { id }, { view: "outgoing" }, SMALL);
    expect(file?.name).toBe("orders-db-outbox");
    const [head = "", ...rows] = await linesOf(file);
    expect(head.split(",").slice(0, 4)).toEqual(["id", "state", "message_id", "type"]);
    expect(head).toContain("sent_at (not stored: CAP does not write when a message was sent.)");
    expect(rows).toHaveLength(137);
    const ids = rows.map((row) => row.split(",")[0]);
    expect(new Set(ids).size).toBe(137);
    expect(ids.slice(0, 2)).toEqual(["out:1130", "out:1129"]);
    // What is not stored is said in each row, and what a spreadsheet would run is text.
    for (const row of rows) expect(row).toContain("not stored");
    expect(rows[0]).toContain(",'=1+1,");
  });

  it("has the rows of one state, and the audit keeps who took which", async () => {
    const before = (await entries()).length;
    const [, ...rows] = await linesOf(await exportSource(admin(), { id }, { view: "outgoing", state: "dead" }));
    expect(rows.map((row) => row.split(",").slice(0, 2))).toEqual([["out:104", "dead"]]);
    const made = (await entries()).slice(before);
    expect(made).toMatchObject([
      {
        subject_id: id,
        after: { format: "csv", atMost: 10_000 },
        evidence: { source: "orders-db", list: "outbox", filters: { state: "dead" } },
      },
    ]);
  });

  it("is cut where a file ends, and says so", async () => {
    const lines = await linesOf(
      await exportSource(admin(), { id }, { view: "outgoing" }, { pageRows: 20, maxRows: 60 }),
    );
    expect(lines).toHaveLength(62);
    expect(lines.at(-1)).toMatch(/^cut after 60 rows: narrow the filters/);
  });

  it("is for whoever may read it, of a list that there is", async () => {
    expect(await exportSource(desk.context("viewer"), { id }, { view: "dead" })).toBeDefined();
    expect(await exportSource(admin(), { id }, { view: "keys" })).toBeUndefined();
    expect(await exportSource(admin("globex"), { id }, { view: "dead" })).toBeUndefined();
    const till = { ...admin(), actor: { kind: "client", id: "k", name: "till", scopes: ["payments"] } } as never;
    await expect(exportSource(till, { id }, { view: "dead" })).rejects.toMatchObject({ code: "auth.forbidden" });
  });

  it("is refused before it is audited where reading it is dear", async () => {
    await database.run("analyze cap.published");
    await database.run(
      `do $$ begin execute format('alter database %I set seq_page_cost = 20000', current_database()); end $$`,
    );
    await closeAttachments();
    const before = (await entries()).length;
    await expect(exportSource(admin(), { id }, { view: "outgoing", state: "dead" })).rejects.toMatchObject({
      code: "attach.too_dear",
      status: 422,
      message: expect.stringMatching(/^Not shown: PostgreSQL estimates a cost of /) as string,
    });
    expect((await entries()).length).toBe(before);
    // By its index all of the list is read as before.
    expect(await linesOf(await exportSource(admin(), { id }, { view: "outgoing" }, SMALL))).toHaveLength(138);
  });
});

describe("saved views of a list of an attached database", () => {
  const origin = (key: string) => ({ idempotencyKey: key, receivedAt: performance.now(), reason: undefined }) as never;
  const page = sourceViewPage("orders-db", "outgoing");

  it("are of that list alone, and found in the palette while the database is attached", async () => {
    const saved = await saveView(admin(), origin("k-1"), { page, name: "Dead ones", search: "?state=dead&cursor=x" });
    expect(saved.href).toMatch(/^\/sources\/orders-db\/outbox\?state=dead&view=/);
    expect((await listViews(desk.context("viewer"), { page })).rows).toMatchObject([
      { name: "Dead ones", search: "?state=dead", page, mayChange: false },
    ]);
    expect((await listViews(admin(), { page: sourceViewPage("orders-db", "incoming") })).rows).toEqual([]);
    expect((await listAllViews(admin())).rows.map(({ name }) => name)).toContain("Dead ones");
    expect((await listAllViews(admin("globex"))).rows).toEqual([]);
    await desk.rows("update onceboard.attachments set removed_at = now(), sealed = null where id = $1", id);
    expect((await listAllViews(admin())).rows.map(({ name }) => name)).not.toContain("Dead ones");
    // One of its name has them again.
    await attachDatabase(admin(), "orders-db", database.url);
    expect((await listAllViews(admin())).rows.map(({ name }) => name)).toContain("Dead ones");
  });

  it("are not saved of a database that is not attached, or with a state that the list does not have", async () => {
    await expect(
      saveView(admin(), origin("k-2"), { page: sourceViewPage("no-such", "dead"), name: "A", search: "" }),
    ).rejects.toMatchObject({ code: "attachment.not_found", status: 404 });
    await expect(
      saveView(admin(), origin("k-3"), { page, name: "A", search: "?state=replay_requested" }),
    ).rejects.toMatchObject({ code: "validation.filter" });
  });
});
