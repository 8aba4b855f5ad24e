import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { upsertOperator } from "@/auth/operators";
import { openHost, type TestHost } from "../testing/host";
import { openTill, payment, type Till } from "../testing/till";

const BASE = "/ops/onceboard";
const PUBLIC_ORIGIN = "https://ops.example.com";
const PUBLIC_URL = PUBLIC_ORIGIN + BASE;
const PASSWORD = "correct horse battery";
const JSON_TYPE = ["content-type", "application/json"] as const;
const ORIGIN = ["origin", PUBLIC_ORIGIN] as const;

describe.each(["hono", "mounted"] as const)("PATH-1 below a base path, %s", (name) => {
  let host: TestHost;
  /** The same host, called as if it began at the base path. */
  let below: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name, { env: { BASE_PATH: BASE, PUBLIC_URL } });
    below = { ...host, call: (call) => host.call({ ...call, path: BASE + call.path }) };
    till = await openTill(below);
    await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
  });
  afterAll(() => host.close());

  it("creates and replays, and says where the payment is: there it can be read", async () => {
    const [key, body] = [randomUUID(), payment()];
    const first = await till.post("/payments", body, { key });
    const again = await till.post("/payments", body, { key });
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([201, 201, "true"]);
    expect(again.text).toBe(first.text);
    const location = String(first.headers.location);
    expect(location).toBe(`${BASE}/api/v1/payments/${String(first.json?.["paymentId"])}`);
    expect(again.headers.location).toBe(location);
    const read = await host.call({ path: location, headers: [["authorization", `Bearer ${till.apiKey}`]] });
    expect(read.json?.["paymentId"]).toBe(first.json?.["paymentId"]);
  });

  it("keeps what it answered without the path: another deployment of the same data may lie elsewhere", async () => {
    const { headers } = await till.post("/payments", payment());
    const { json } = await till.get(`/operations/${String(headers["operation-id"])}`);
    expect(json?.["result"]).toMatchObject({ href: headers.location });
    const kept = await host.rows<{ readonly headers: Readonly<Record<string, string>> }>(
      "select headers from onceboard.idempotency_bodies where operation_id = $1 and headers is not null",
      headers["operation-id"],
    );
    expect(kept[0]?.headers["location"]).toMatch(/^\/api\/v1\/payments\//);
  });

  it.each([
    ["a route that is not there", () => below.call({ path: "/api/v1/nothing" })],
    ["a caller whom nobody knows", () => below.call({ path: "/api/v1/payments/x" })],
    ["a missing key", () => till.post("/payments", payment(), { key: null })],
    ["a conflict", () => conflict()],
    ["a kept refusal", () => till.post("/payments", payment({ amount: "12.51" }))],
  ])("explains %s at an address that is there", async (_what, ask) => {
    const answer = await ask();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.json?.["type"]).toMatch(new RegExp(`^${BASE}/api/v1/docs#error-`));
    const addresses = [answer.text, String(answer.headers["link"] ?? "")].join("\n").match(/\S{0,40}\/api\/v1\/docs/g);
    for (const address of addresses ?? []) expect(address).toContain(`${BASE}/api/v1/docs`);
  });

  async function conflict() {
    const key = randomUUID();
    await till.post("/payments", payment({ amount: "1.00" }), { key });
    return till.post("/payments", payment({ amount: "2.00" }), { key });
  }

  it("gives a kept refusal the same bytes again", async () => {
    const [key, body] = [randomUUID(), payment({ amount: "12.51" })];
    const first = await till.post("/payments", body, { key });
    const again = await till.post("/payments", body, { key });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.text).toBe(first.text);
    expect(again.json?.["type"]).toContain(`${BASE}/api/v1/docs#`);
  });

  it("serves its document and its page, and both name addresses below it", async () => {
    const { json, status } = await below.call({ path: "/api/v1/openapi.json" });
    expect([status, json?.["servers"]]).toEqual([200, [{ url: `${PUBLIC_URL}/api/v1` }]]);
    expect(new Set(JSON.stringify(json).match(/"servers":\[\{"url":"\/[^"]*"/g))).toEqual(
      new Set([`"servers":[{"url":"${BASE}/api"`]),
    );
    const page = await below.call({ path: "/api/v1/docs" });
    expect(page.text).toContain(`<a href="${BASE}/api/v1/openapi.json">`);
    expect(page.text).toContain(`<code>POST ${BASE}/api/v1/payments</code>`);
    expect(page.text).toContain(`<code>GET ${BASE}/api/health/live</code>`);
    expect(page.text.match(/(?<!\/ops\/onceboard)\/api\/(v1|health)/g)).toBeNull();
  });

  it("answers health and metrics, and its checklist finds both documents", async () => {
    expect((await below.call({ path: "/api/health/live" })).status).toBe(200);
    expect((await below.call({ path: "/api/metrics" })).text).toContain("idempotency_requests_total");
    const admin = await openTill(below, ["admin"]);
    const { json } = await admin.get("/admin/checklist");
    const rows = json?.["rows"] as { id: string; checks: { verdict: string }[] }[];
    const verdicts = rows.find(({ id }) => id === "document")?.checks.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(["holds"]));
  });

  it("signs a person in, with a cookie for its own path alone", async () => {
    const email = `admin-${randomUUID()}@example.com`;
    const { auth } = host.deps ?? {};
    if (auth === undefined) throw new Error("in process");
    await upsertOperator(host.db, auth, { email, password: PASSWORD, role: "admin" });
    const entered = await below.call({
      method: "POST",
      path: "/api/auth/sign-in/email",
      headers: [JSON_TYPE, ORIGIN],
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const cookies = entered.headers["set-cookie"] ?? [];
    expect(cookies.map((line) => /Path=([^;]*)/.exec(line)?.[1])).toEqual(cookies.map(() => BASE));
    const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
    const session = await below.call({ path: "/api/auth/get-session", headers: [["cookie", cookie]] });
    expect(session.json?.["operator"]).toMatchObject({ email });
    const invited = await below.call({
      method: "POST",
      path: `/api/v1/admin/people?tenant=${host.tenant}`,
      headers: [JSON_TYPE, ORIGIN, ["cookie", cookie], ["idempotency-key", randomUUID()]],
      body: JSON.stringify({
        email: `new-${randomUUID()}@example.com`,
        name: "New",
        role: "viewer",
        reason: "new here",
      }),
    });
    expect(invited.json?.["link"]).toMatch(new RegExp(`^${PUBLIC_URL}/join#`));
    const out = await below.call({
      method: "POST",
      path: "/api/auth/sign-out",
      headers: [JSON_TYPE, ORIGIN, ["cookie", cookie]],
      body: "{}",
    });
    expect(out.status).toBe(204);
    expect((out.headers["set-cookie"] ?? []).every((line) => line.includes(`Path=${BASE};`))).toBe(true);
  });

  it("takes a provider's webhook", async () => {
    const answer = await below.call({
      method: "POST",
      path: `/api/v1/events/sandbox?tenant=${host.tenant}`,
      headers: [
        JSON_TYPE,
        ["webhook-id", "m1"],
        ["webhook-timestamp", "1"],
        ["webhook-signature", signatureOfNobody()],
      ],
      body: "{}",
    });
    expect([answer.status, answer.json?.["code"]]).toEqual([401, "auth.signature_invalid"]);
  });

  it.each([
    "/",
    "/api/health/live",
    "/api/v1/docs",
    "/api/v1/payments",
    "/ops/api/health/live",
    `${BASE}y/api/v1/docs`,
  ])("has nothing at %s", async (path) => {
    const answer = await host.call({ path });
    expect([answer.status, answer.json?.["code"]]).toEqual([404, "route.not_found"]);
  });
});

function signatureOfNobody(): string {
  return `v1,${createHmac("sha256", "nobody").update("m1.1.{}").digest("base64")}`;
}
