import { afterAll, beforeAll, expect, test } from "vitest";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { insertAttachment, markAttachmentRemoved } from "@/db/attachments/attachments";
import { createTestDatabase } from "@/db/testing/test-database";
import { examineAttachHosts, examineAttachment } from "./attachment";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(CAP_TABLES);
});

afterAll(() => database.drop());

test("without an address there is nothing to say", async () => {
  expect(await examineAttachment({})).toEqual([]);
});

test("what is wrong comes with what mends it, and goes when it was mended", async () => {
  const env = { ATTACH_URL: database.url };
  expect(await examineAttachment(env)).toMatchObject([{ state: "wrong" }]);
  await database.install(cap, { time_zone: "UTC" });
  await database.run(`revoke execute on function onceboard_attach.discard(text) from ${database.role}`);
  const [finding] = (await examineAttachment(env)).filter(({ state }) => state === "wrong");
  expect(finding?.text).toMatch(/^Attachment: .* may not execute discard, .* Mend: grant execute on all functions/);
  await database.run(finding?.text.split("Mend: ")[1] ?? "");
  expect((await examineAttachment(env)).map(({ state }) => state)).not.toContain("wrong");
});

test("a database that does not answer is one line, without its password", async () => {
  const [finding] = await examineAttachment({ ATTACH_URL: "postgres://nobody:secret-of-theirs@127.0.0.1:1/none" });
  expect(finding?.text).toContain("The database cannot be reached");
  expect(finding?.text).not.toContain("secret-of-theirs");
});

test("an attached database whose host is not listed any more is named, with its tenant", async () => {
  const own = await createTestDatabase();
  try {
    const { pool } = own.db;
    await pool.query({ text: "insert into onceboard.tenants (id, name) values ('acme', 'Acme')" });
    const attach = (id: string, name: string, shown: string) =>
      insertAttachment(
        pool,
        "acme",
        {
          ...{ id, name, shown, installedAs: "onceboard_attach", preset: "cap", createdBy: "Ada" },
          sealed: Buffer.from("sealed"),
        },
        10,
      );
    expect(await examineAttachHosts(pool, { attachHosts: ["orders-db"] })).toEqual([]);
    await attach("018f0000-0000-7000-8000-000000000001", "orders", "orders-db:5432/orders");
    await attach("018f0000-0000-7000-8000-000000000002", "bills", "[::1]:6432/bills");
    expect(await examineAttachHosts(pool, { attachHosts: undefined })).toEqual([]);
    expect(await examineAttachHosts(pool, { attachHosts: ["orders-db", "[::1]:6432"] })).toEqual([
      { state: "ok", text: "ATTACH_HOSTS lists the host of every attached database" },
    ]);
    expect(await examineAttachHosts(pool, { attachHosts: ["orders-db:5432", "[::1]:5432"] })).toEqual([
      {
        state: "wrong",
        text: "ATTACH_HOSTS does not list the host of bills of tenant acme ([::1]:6432/bills): it is not opened",
      },
    ]);
    await markAttachmentRemoved(pool, "acme", "018f0000-0000-7000-8000-000000000002");
    expect(await examineAttachHosts(pool, { attachHosts: ["orders-db"] })).toMatchObject([{ state: "ok" }]);
  } finally {
    await own.drop();
  }
});

test("the clock of our own database is what theirs is compared with, where it answers", async () => {
  const own = await createTestDatabase();
  try {
    const clock = async (env: Record<string, string>) => {
      const findings = await examineAttachment({ ATTACH_URL: database.url, ...env });
      return findings.find(({ text }) => text.startsWith("Attachment: Its clock"))?.text;
    };
    expect(await clock({ DATABASE_URL: own.url })).toContain("that of the database of Onceboard are");
    expect(await clock({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" })).toContain("that of this machine are");
    expect(await clock({})).toContain("that of this machine are");
  } finally {
    await own.drop();
  }
});
