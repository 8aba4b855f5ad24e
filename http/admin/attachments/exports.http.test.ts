import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { FOREIGN_PASSWORD, openCapDatabase } from "@/tests/support/cap-database";
import { HOSTS, openHost, type TestHost } from "../../testing/host";
import { tillOf, type Till } from "../../testing/till";

describe.each(HOSTS.filter((name) => name !== "next"))("lists of an attached database over %s", (name) => {
  let host: TestHost;
  let admin: Till;
  let theirs: Awaited<ReturnType<typeof openCapDatabase>>;
  let path: string;
  beforeAll(async () => {
    theirs = await openCapDatabase({ rows: true, installed: true });
    const { hostname, port } = new URL(theirs.url);
    host = await openHost(name, { env: { ATTACH_HOSTS: `${hostname}:${port}` } });
    admin = tillOf(host, await host.key(["admin"]));
    const attached = await admin.post(
      "/admin/attachments",
      { name: "orders-db", url: theirs.url, schema: "onceboard_attach" },
      { key: randomUUID() },
    );
    path = `/admin/attachments/${(attached.json?.["after"] as { id: string }).id}`;
  });
  afterAll(async () => {
    await closeAttachments();
    await host.close();
    await theirs.drop();
  });

  it("are files with the filter of the page, and say nothing of the address", async () => {
    const file = await admin.get(`${path}/exports/outgoing?state=dead`);
    expect(file.status).toBe(200);
    expect(file.headers["content-type"]).toMatch(/^text\/csv/);
    expect(file.headers["content-disposition"]).toMatch(/filename="orders-db-outbox-.*\.csv"/);
    const lines = file.text.split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^out:\d+,dead,/);
    expect(file.text).not.toContain(FOREIGN_PASSWORD);
  });

  it("come as JSON too, in the formats of our own lists, and say there what is not stored", async () => {
    const whole = await admin.get(`${path}/exports/outgoing?state=dead&format=json`);
    expect(whole.headers["content-type"]).toMatch(/^application\/json/);
    expect(whole.headers["content-disposition"]).toMatch(/\.json"/);
    expect(whole.json).toMatchObject({ list: "orders-db-outbox", count: 1, cut: false, rows: [{ state: "dead" }] });
    const lines = await admin.get(`${path}/exports/outgoing?state=dead&format=ndjson`);
    expect(lines.headers["content-type"]).toMatch(/^application\/x-ndjson/);
    const row = JSON.parse(lines.text) as Record<string, unknown>;
    expect([row]).toEqual(whole.json?.["rows"]);
    expect(row["sent_at (not stored: CAP does not write when a message was sent.)"]).toBe("not stored");
    expect(row["sent_at"]).toBeUndefined();
  });

  it.each([
    ["a state of another list", "exports/outgoing?state=done", 400, "validation.filter"],
    ["a format that there is not", "exports/outgoing?format=xml", 400, "validation.filter"],
    ["a list that there is not", "exports/keys", 404, "attachment.not_found"],
    ["no list at all", "exports/nothing", 404, "attachment.not_found"],
    ["nothing that could be in flight", "in-flight", 404, "attachment.not_found"],
  ])("%s", async (_, rest, status, code) => {
    expect((await admin.get(`${path}/${rest}`)).json).toMatchObject({ status, code });
  });

  it("are for who may read them", async () => {
    const plain = tillOf(host, await host.key(["payments"]));
    expect((await plain.get(`${path}/exports/outgoing`)).status).toBe(403);
    expect((await plain.get(`${path}/in-flight`)).status).toBe(403);
  });

  it("have saved views of their own, and only while they are attached", async () => {
    const save = (page: string, search = "?state=dead") =>
      admin.post("/admin/views", { page, name: "Dead ones", search }, { key: randomUUID() });
    expect((await save("sources/orders-db/outbox")).json).toMatchObject({ changed: true });
    expect((await save("sources/other-db/outbox")).json).toMatchObject({ status: 404, code: "attachment.not_found" });
    expect((await save("sources/orders-db/retention")).json).toMatchObject({ status: 422, code: "validation.body" });
    const views = await admin.get("/admin/views?page=sources/orders-db/outbox");
    expect(views.json).toMatchObject({ rows: [{ name: "Dead ones", search: "?state=dead" }] });
  });

  it("are watched for newer rows by the pulse, which waits for no database of theirs", async () => {
    const pulse = (await admin.get("/admin/pulse?page=sources/orders-db/outbox")).json;
    expect(["waiting", "read"]).toContain((pulse?.["source"] as { kind: string } | undefined)?.kind);
    expect((await admin.get("/admin/pulse?page=sources/orders-db/outbox&above=%00")).json?.["source"]).toBeUndefined();
  });
});
