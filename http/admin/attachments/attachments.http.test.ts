import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { upsertOperator } from "@/auth/operators";
import { createAuth } from "@/auth/sessions";
import { closeAttachments } from "@/console/attachments/open-attachment";
import type { Role } from "@/domain/idempotency/states";
import { FOREIGN_PASSWORD, openCapDatabase } from "@/tests/support/cap-database";
import { HOSTS, openHost, type TestHost } from "../../testing/host";
import { tillOf, type Till } from "../../testing/till";

const PASSWORD = "correct horse battery";

describe.each(HOSTS.filter((name) => name !== "next"))("ATTACH-3 attachments over %s", (name) => {
  let host: TestHost;
  let admin: Till;
  let plain: Till;
  let theirs: Awaited<ReturnType<typeof openCapDatabase>>;
  const logged: string[] = [];
  beforeAll(async () => {
    theirs = await openCapDatabase({ rows: true, installed: true });
    const { hostname, port } = new URL(theirs.url);
    host = await openHost(name, {
      env: { ATTACH_HOSTS: `${hostname}:${port}` },
      lines: { write: (line) => void logged.push(line) },
    });
    admin = tillOf(host, await host.key(["admin"]));
    plain = tillOf(host, await host.key(["payments"]));
  });
  afterAll(async () => {
    await closeAttachments();
    await host.close();
    await theirs.drop();
  });

  const look = (fields: Readonly<Record<string, unknown>> = {}) =>
    admin.post(
      "/admin/attachments/look",
      { url: theirs.url, constants: { time_zone: "UTC" }, ...fields },
      { key: null },
    );
  const create = (fields: Readonly<Record<string, unknown>> = {}, key: string = randomUUID()) =>
    admin.post(
      "/admin/attachments",
      { name: "orders-db", url: theirs.url, schema: "onceboard_attach", ...fields },
      { key },
    );

  it("looks, attaches once however often it is sent, lists and removes, and says the address nowhere", async () => {
    const looked = await look();
    expect(looked.status).toBe(200);
    expect(looked.json).toMatchObject({ recognised: [{ preset: "cap" }], installed: { preset: "cap" } });
    const key = randomUUID();
    const first = await create({}, key);
    expect(first.json).toMatchObject({ changed: true, message: "Attached.", after: { preset: "cap" } });
    const again = await create({}, key);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = await create({ url: `${theirs.url}?sslmode=disable` }, key);
    expect(other.json).toMatchObject({ code: "idempotency.payload_mismatch" });
    const taken = await create();
    expect(taken.json).toMatchObject({ status: 409, code: "attachment.name_taken" });
    const read = await admin.get("/admin/attachments");
    const { id } = first.json?.["after"] as { id: string };
    expect(read.json?.["attachments"]).toMatchObject([{ id, name: "orders-db", library: "CAP" }]);
    const removed = await admin.post(`/admin/attachments/${id}/remove`, { reason: "it moved" });
    expect(removed.json).toMatchObject({ changed: true });
    const gone = await admin.post(`/admin/attachments/${id}/remove`, { reason: "it moved" });
    expect(gone.json).toMatchObject({ status: 404, code: "attachment.not_found" });
    const audit = await host.rows("select to_jsonb(a) from onceboard.audit_entries as a");
    expect(JSON.stringify(audit)).toContain("attachments.create");
    expect(logged.length).toBeGreaterThan(0);
    const answers = [looked, first, again, other, taken, read, removed, gone].map(({ text }) => text);
    for (const text of [...answers, JSON.stringify(audit), ...logged]) expect(text).not.toContain(FOREIGN_PASSWORD);
  });

  it.each([
    ["no address", { url: "orders-db" }, 422, "validation.attachment_address"],
    ["an address of a file", { url: "file:///etc/passwd" }, 422, "validation.attachment_address"],
    ["a host that is not listed", { url: "postgres://a:hidden@169.254.169.254/db" }, 422, "attach.host_not_allowed"],
    ["a member that there is none of", { query: "select 1" }, 422, "validation.body"],
    ["a map of nothing that is a map", { map: { table: "t", keys: { key: "" } } }, 422, "validation.body"],
  ])("refuses to look at %s", async (_what, fields, status, code) => {
    const refused = await look(fields);
    expect(refused.json).toMatchObject({ status, code });
    expect(refused.text).not.toContain("hidden");
  });

  it.each([
    ["a name that cannot stand in an address", { name: "Orders DB" }, 422, "validation.body"],
    ["a schema that is not there", { schema: "onceboard_attach_b" }, 409, "attach.not_installed"],
    ["a host that is not listed", { url: "postgres://a:hidden@169.254.169.254/db" }, 422, "attach.host_not_allowed"],
  ])("attaches nothing with %s", async (_what, fields, status, code) => {
    expect((await create(fields)).json).toMatchObject({ status, code });
    expect((await admin.get("/admin/attachments")).json?.["attachments"]).toEqual([]);
  });

  it("is closed to a key that is not for the admin routes, and to people who may only look", async () => {
    const body = { url: theirs.url };
    expect((await plain.get("/admin/attachments")).status).toBe(403);
    expect((await plain.post("/admin/attachments/look", body)).status).toBe(403);
    const operator = await person("operator");
    expect((await operator("attachments/look", body)).json).toMatchObject({ code: "auth.forbidden" });
    expect((await operator(`attachments/${randomUUID()}/remove`, { reason: "x" })).json).toMatchObject({
      code: "auth.forbidden",
    });
  });

  it("asks a person for a fresh proof before it connects, attaches or removes", async () => {
    const one = await person("admin");
    expect((await one("attachments/look", { url: theirs.url })).status).toBe(200);
    await host.rows("update onceboard.sessions set confirmed_at = clock_timestamp() - interval '11 minutes'");
    const attachment = { name: "orders-db", url: theirs.url, schema: "onceboard_attach" };
    for (const [path, body] of [
      ["attachments/look", { url: theirs.url }],
      ["attachments", attachment],
      [`attachments/${randomUUID()}/remove`, { reason: "x" }],
    ] as const)
      expect((await one(path, body)).json, path).toMatchObject({ status: 403, code: "auth.step_up_required" });
  });

  /** Somebody of this role with a session. */
  async function person(role: Role) {
    const auth = createAuth({ db: host.db, secret: host.secret, publicUrl: "http://localhost:3000" });
    const email = `${role}-${randomUUID()}@example.com`;
    await upsertOperator(host.db, auth, { email, password: PASSWORD, role });
    const post = (path: string, body: unknown, cookie: string) =>
      host.call({
        method: "POST",
        path,
        headers: [
          ["content-type", "application/json"],
          ["origin", host.url],
          ["cookie", cookie],
          ["idempotency-key", randomUUID()],
        ],
        body: JSON.stringify(body),
      });
    const signedIn = await post("/api/auth/sign-in/email", { email, password: PASSWORD }, "");
    const cookie = (signedIn.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
    return (path: string, body: unknown) => post(`/api/v1/admin/${path}?tenant=${host.tenant}`, body, cookie);
  }
});
