import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHost, type TestHost } from "./testing/host";
import { openTill, payment, type Till } from "./testing/till";

let host: TestHost;
let till: Till;
let admin: Till;
beforeAll(async () => {
  host = await openHost("hono");
  till = await openTill(host);
  admin = await openTill(host, ["admin"]);
  await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
});
afterAll(() => host.close());

describe("INVARIANT-2 invariants over HTTP", () => {
  it("checks once per key, and tells the last run to whoever reads", async () => {
    expect((await admin.get("/admin/invariants")).json).toMatchObject({ windowHours: 24 });
    const key = randomUUID();
    const first = await admin.post("/admin/invariants/check", {}, { key });
    expect(first).toMatchObject({ status: 200, json: { action: "invariants.run", changed: true } });
    const second = await admin.post("/admin/invariants/check", {}, { key });
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
    const page = await admin.get("/admin/invariants/runs");
    expect(page.json).toMatchObject({ stripHours: 24 });
    expect((page.json?.["rows"] as { checked: boolean }[]).every(({ checked }) => checked)).toBe(true);
    expect((await admin.post("/admin/invariants/check", {}, { key: null })).status).toBe(400);
    expect((await till.post("/admin/invariants/check", {})).status).toBe(403);
  });
});

describe("CONFLICT-7 marks over HTTP", () => {
  it("marks the conflicts of a client, which stay refused, and refuses what is no mark or no group", async () => {
    const key = randomUUID();
    await till.post("/payments", payment(), { key });
    expect((await till.post("/payments", { ...payment(), amount: "99.00" }, { key })).status).toBe(409);
    const groups = async () =>
      ((await admin.get("/admin/conflicts")).json?.["groups"] ?? []) as { client: string; mark?: { note: string } }[];
    await expect.poll(async () => (await groups()).length).toBe(1);
    const [group] = await groups();
    const body = { client: group?.client, operation: "payments.create", mark: "ours", reason: "we round" };
    expect(await admin.post("/admin/conflicts/mark", body)).toMatchObject({ status: 200, json: { changed: true } });
    expect((await groups())[0]?.mark?.note).toBe("we round");
    expect((await till.post("/payments", { ...payment(), amount: "99.00" }, { key })).status).toBe(409);
    expect((await admin.post("/admin/conflicts/mark", { ...body, mark: "yours" })).status).toBe(422);
    expect((await admin.post("/admin/conflicts/mark", { ...body, reason: " " })).status).toBe(422);
    expect(await admin.post("/admin/conflicts/mark", { ...body, client: "nobody" })).toMatchObject({
      status: 404,
      json: { code: "conflict.not_found" },
    });
  });
});

describe("AUDIT-1 the chain over HTTP", () => {
  it("is verified from any entry on, and finds what was changed", async () => {
    const verify = async (from = "1") => (await admin.get(`/admin/audit/verify?from=${from}`)).json;
    expect(await verify()).toMatchObject({ result: "holds", from: "1" });
    expect(await verify("2")).toMatchObject({ result: "holds", from: "2" });
    await host.rows(
      "update onceboard.audit_entries set reason = 'forged' where tenant_id = $1 and sequence = 1",
      host.tenant,
    );
    expect(await verify()).toMatchObject({ result: "broken", brokenAt: "1" });
    expect((await admin.get("/admin/audit/verify?from=x")).status).toBe(400);
  });
});
