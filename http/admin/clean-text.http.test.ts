import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { signedIn } from "../testing/signed-in";
import { openTill, payment, type Till } from "../testing/till";

const UNSEEN = ["\u0000", "a\nb", "a\u001b[31m", "Ada \u202eecalevoL", "\u2066x", "a\u200bb", "a\u2028b"];
const SECRET = "s3cret-token";

describe.each(HOSTS)("what people and other programs write, on %s", (name) => {
  let host: TestHost;
  let admin: Till;
  let cookie: string;
  beforeAll(async () => {
    host = await openHost(name, { env: { WEBHOOK_ALLOW_PRIVATE: "true" } });
    admin = await openTill(host, ["admin", "payments", "accounts"]);
    cookie = await signedIn(host, "admin");
  });
  afterAll(() => host.close());

  const bySession = (path: string, body: unknown) =>
    host.call({
      method: "POST",
      path: `/api/v1/admin${path}`,
      headers: [
        ["content-type", "application/json"],
        ["origin", host.deps?.config.publicUrl ?? "http://localhost:3000"],
        ["idempotency-key", randomUUID()],
        ["onceboard-tenant", host.tenant],
        ["cookie", cookie],
      ],
      body: JSON.stringify(body),
    });

  it.each(UNSEEN)("INPUT-1 no name holds %j", async (text) => {
    const reason = "to see it refused";
    const url = `https://shop.example/${randomUUID()}`;
    const asked = [
      await admin.post("/admin/views", { page: "operations", name: `x${text}x`, search: "" }),
      await admin.post("/admin/webhook-endpoints", { url, description: `x${text}x` }),
      await admin.post("/admin/deploys", { service: `x${text}x`, version: "1" }),
      await admin.post("/admin/topics/payments/route", {
        expectedVersion: 0,
        transport: "nats",
        destination: `x${text}x`,
        reason,
      }),
      await bySession("/clients", { name: `x${text}x`, scopes: ["payments"] }),
      await bySession("/clients", { name: "good", contact: `x${text}x`, scopes: ["payments"] }),
      await bySession("/people", { email: `${randomUUID()}@example.com`, name: `x${text}x`, role: "viewer", reason }),
    ];
    for (const answer of asked) {
      expect([answer.status === 400 || answer.status === 422, answer.json?.["code"]]).toEqual([
        true,
        expect.stringMatching(/^validation\./),
      ]);
      expect(answer.text).not.toContain(text);
    }
    expect(await host.rows("select 1 from onceboard.saved_views where tenant_id = $1", host.tenant)).toEqual([]);
  });

  it("INPUT-1 a name from before is shown with what nobody sees written out", async () => {
    const old = "Ada \u202eecalevoL";
    await host.rows("update onceboard.operators set name = $1", old);
    await host.rows(
      "insert into onceboard.saved_views (tenant_id, id, page, name, search, created_by) values ($1, $2, 'operations', $3, '', 'x')",
      host.tenant,
      randomUUID(),
      old,
    );
    const shown = [
      await host.call({
        path: "/api/v1/admin/people",
        headers: [
          ["cookie", cookie],
          ["onceboard-tenant", host.tenant],
        ],
      }),
      await admin.get("/admin/views?page=operations"),
    ];
    for (const { status, text } of shown) {
      expect([status, text.includes("Ada [U+202E]ecalevoL"), text.includes("\u202e")]).toEqual([200, true, false]);
    }
  });

  it("INPUT-2 a token in the address of an endpoint is in no answer, list, audit or record", async () => {
    const url = `https://shop.example/hooks?token=${SECRET}&v=2`;
    const key = randomUUID();
    const made = await admin.post("/admin/webhook-endpoints", { url }, { key });
    expect(made.json).toMatchObject({ after: { url: "https://shop.example/hooks?token=***&v=***" } });
    const other = await admin.post("/admin/webhook-endpoints", { url: `${url}1` }, { key });
    expect(other.json?.["code"]).toBe("idempotency.payload_mismatch");
    const id = (made.json?.["after"] as { id: string }).id;
    const listed = await admin.get("/admin/webhook-endpoints");
    expect(listed.text).toContain("token=***");
    const gone = await admin.post(`/admin/webhook-endpoints/${id}/delete`, { reason: "done" });
    const kept = await host.rows(
      `select a::text from onceboard.audit_entries a where tenant_id = $1
       union all select r::text from onceboard.idempotency_requests r where tenant_id = $1
       union all select e::text from onceboard.idempotency_events e where tenant_id = $1`,
      host.tenant,
    );
    expect(kept.length).toBeGreaterThan(3);
    for (const text of [made.text, other.text, listed.text, gone.text, JSON.stringify(kept)])
      expect(text).not.toContain(SECRET);
  });

  it("REVEAL-1 a body that is shown again under its key is on record again", async () => {
    const paid = await admin.post("/payments", payment());
    const id = String(paid.headers["operation-id"]);
    const key = randomUUID();
    const looks = () =>
      host.rows<{ after: Record<string, unknown>; id: string }>(
        "select id, after from onceboard.audit_entries where subject_id = $1 and action = 'bodies.reveal' order by sequence",
        id,
      );
    for (const times of [1, 2, 3]) {
      const shown = await admin.post(`/admin/operations/${id}/reveal`, { reason: "a question" }, { key });
      expect(String(shown.json?.["command"])).toContain("acc_1");
      expect(await looks()).toHaveLength(times);
    }
    const [first, second] = await looks();
    expect(second?.after).toEqual({ repeated: true, first: first?.id });
  });
});
