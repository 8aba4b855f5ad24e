import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "../../testing/host";
import { tillOf, type Till } from "../../testing/till";

describe.each(HOSTS.filter((name) => name !== "next"))("ALERT-4 alerts over %s", (name) => {
  let host: TestHost;
  let admin: Till;
  let plain: Till;
  beforeAll(async () => {
    host = await openHost(name, { env: { WEBHOOK_ALLOW_PRIVATE: "true" } });
    admin = tillOf(host, await host.key(["admin"]));
    plain = tillOf(host, await host.key(["payments"]));
  });
  afterAll(() => host.close());

  const target = "http://127.0.0.1:9/services/a-secret-token";
  const create = (fields: Readonly<Record<string, unknown>> = {}, key: string = randomUUID()) =>
    admin.post("/admin/alert-destinations", { kind: "slack", name: "on call", target, ...fields }, { key });

  it("a click makes one destination; its address is in no answer", async () => {
    const key = randomUUID();
    const first = await create({}, key);
    expect(first.status).toBe(200);
    const again = await create({}, key);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = await create({ target: `${target}/other` }, key);
    expect(other.json).toMatchObject({ code: "idempotency.payload_mismatch" });
    const { id } = first.json?.["after"] as { id: string };
    const read = await admin.get("/admin/alerts");
    expect(read.json?.["destinations"]).toMatchObject([{ id, name: "on call", shown: "http://127.0.0.1:9/…" }]);
    for (const { text } of [first, again, other, read]) expect(text).not.toContain("a-secret-token");
    expect((await admin.post(`/admin/alert-destinations/${id}/test`, { reason: "a test" })).status).toBe(200);
    expect((await admin.post(`/admin/alert-destinations/${id}/delete`, { reason: "gone" })).status).toBe(200);
    expect((await admin.post(`/admin/alert-destinations/${id}/test`, { reason: "a test" })).json).toMatchObject({
      code: "alert_destination.not_found",
    });
  });

  it.each([
    ["a file", { target: "file:///etc/passwd" }],
    ["another kind", { kind: "pager" }],
    ["an unseen character in its name", { name: "on\u202ecall" }],
    ["no routing key", { kind: "pagerduty", target: "short" }],
    ["a list of addresses", { kind: "email", target: "a@b.example, c@d.example" }],
  ])("refuses %s and makes nothing", async (_name, fields) => {
    expect((await create(fields)).status).toBe(422);
    expect((await admin.get("/admin/alerts")).json?.["destinations"]).toEqual([]);
  });

  it("changes a rule, exact in each currency, and refuses what is no limit", async () => {
    const change = (condition: string, fields: Readonly<Record<string, unknown>>) =>
      admin.post(`/admin/alert-rules/${condition}`, { state: "on", reason: "a test", ...fields });
    expect((await change("money_in_doubt", { amounts: "EUR 500.10, JPY 5" })).json).toMatchObject({
      changed: true,
      after: { amounts: "EUR 500.10, JPY 5" },
    });
    expect((await change("dead_letters", { limit: "5" })).json).toMatchObject({ after: { limit: "5" } });
    expect((await change("stopped_loop", { state: "off" })).json).toMatchObject({ changed: false });
    for (const wrong of [{ limit: 0 }, { limit: "-1" }, { limit: 1.5 }, { amounts: "EUR 1.234" }, { state: "maybe" }])
      expect((await change("dead_letters", wrong)).status, JSON.stringify(wrong)).toBe(422);
    expect((await change("weather", {})).json).toMatchObject({ status: 404, code: "alert_rule.not_found" });
    const { rules } = (await admin.get("/admin/alerts")).json as { rules: readonly Record<string, unknown>[] };
    expect(rules[0]).toMatchObject({ amounts: "EUR 500.10, JPY 5", shownAmounts: "€500.10, ¥5" });
  });

  it("is closed to a key that is not for the admin routes", async () => {
    expect((await plain.get("/admin/alerts")).status).toBe(403);
    expect((await plain.post("/admin/alert-rules/dead_letters", { state: "off", reason: "x" })).status).toBe(403);
  });
});
