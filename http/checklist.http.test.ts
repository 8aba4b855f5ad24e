import { Hono, type Handler } from "hono";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ChecklistView } from "@/presentation/views/checklist";
import { declared, routeFacts } from "./declare";
import { createHttpApp } from "./app";
import { deploymentFacts } from "./admin/deployment-facts";
import type { ApiEnv } from "./env";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { openTill, payment, type Till } from "./testing/till";

describe.each(HOSTS)("the review checklist over HTTP on %s (CHECKLIST-1)", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
  });
  afterAll(() => host.close());

  it("answers each line with what it rests on, about this tenant", async () => {
    const key = "checklist-1";
    const body = payment();
    await till.post("/payments", body, { key });
    await till.post("/payments", body, { key });
    await till.post("/payments", { ...body, amount: "11.00" }, { key });
    await host.deps?.answers.flush();
    const answer = await admin.get("/admin/checklist");
    expect(answer.status).toBe(200);
    const view = answer.json as unknown as ChecklistView;
    expect(view.rows).toHaveLength(12);
    const row = (id: string) => view.rows.find((each) => each.id === id);
    expect(row("key-required")).toMatchObject({ verdict: "holds" });
    expect(row("unique-keys")).toMatchObject({ verdict: "holds" });
    expect(row("document")?.checks).toEqual(row("document")?.checks.map((check) => ({ ...check, verdict: "holds" })));
    if (host.deps === undefined) return;
    expect(row("payload-hash")).toMatchObject({ verdict: "holds" });
    expect(row("same-answer")).toMatchObject({ verdict: "holds" });
    // Nobody works here: the lines that rest on the worker say so.
    expect(row("cleanup")?.checks).toContainEqual(
      expect.objectContaining({ verdict: "fails", text: "The worker: retain has not beaten for a day." }),
    );
  });

  it("is not for a till", async () => {
    expect((await till.get("/admin/checklist")).status).toBe(403);
  });
});

describe("the app's own table of routes", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost("hono");
  });
  afterAll(() => host.close());
  const app = () => {
    if (host.deps === undefined) throw new Error("in process only");
    return createHttpApp(host.deps);
  };

  it("every route that says it needs a key refuses a request without one, and records nothing", async () => {
    const keyed = routeFacts(app()).filter((route) => route.keyed);
    expect(keyed.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "/api/v1/payments",
        "/api/v1/refunds",
        "/api/v1/payments/{id}/void",
        "/api/v1/accounts",
        "/api/v1/admin/operations/{id}/resolve",
        "/api/v1/admin/policies/{operation}",
      ]),
    );
    const till = await openTill(host, ["payments", "accounts"]);
    const admin = await openTill(host, ["admin"]);
    const bodies: Readonly<Record<string, unknown>> = {
      "/api/v1/admin/deploys": { service: "till", version: "1" },
      "/api/v1/admin/operations/{id}/resolve": { decision: "failed", evidence: ["a"], reason: "x" },
      "/api/v1/admin/policies/{operation}": { overrides: {}, expectedVersion: 0, reason: "x" },
      "/api/v1/admin/retention/preview": {},
      "/api/v1/admin/plans": { kind: "requeue_dead_letters", filter: {}, reason: "x" },
      "/api/v1/admin/outbox/{id}/correct": { body: "{}", reason: "x" },
      "/api/v1/admin/plans/{id}/decide": { decision: "reject", reason: "x" },
      "/api/v1/admin/topics/{topic}/pause": { expectedVersion: 0, reason: "x" },
      "/api/v1/admin/topics/{topic}/resume": { expectedVersion: 0, reason: "x" },
      "/api/v1/admin/topics/{topic}/route": { expectedVersion: 0, reason: "x" },
      "/api/v1/admin/webhook-endpoints": { url: "https://shop.example/" },
      "/api/v1/admin/webhook-endpoints/{id}/change": { types: [], description: "", reason: "x" },
      "/api/v1/admin/alert-destinations": {
        kind: "slack",
        name: "ops",
        target: "https://hooks.example/x",
        reason: "x",
      },
      "/api/v1/admin/attachments": {
        name: "orders-db",
        url: "postgres://a:b@orders-db/orders",
        schema: "onceboard_attach",
        reason: "x",
      },
      "/api/v1/admin/attachments/{id}/requeue": { row: "out:1", reason: "x" },
      "/api/v1/admin/attachments/{id}/discard": { row: "out:1", reason: "x" },
      "/api/v1/admin/attachments/{id}/purge": { before: "2026-11-01T00:00:00Z", most: 1, reason: "x" },
      "/api/v1/admin/alert-rules/{condition}": { state: "on", reason: "x" },
      "/api/v1/admin/operations/{id}/propose-resolution": { decision: "failed", evidence: ["mail 7"], reason: "x" },
      "/api/v1/admin/people": { email: "new@example.com", name: "New", role: "viewer", reason: "x" },
      "/api/v1/admin/people/{id}/role": { role: "viewer", reason: "x" },
      "/api/v1/admin/sessions/end": {},
      "/api/v1/admin/time-zone": { zone: "local" },
      "/api/v1/admin/clients": { name: "till", scopes: ["payments"], profile: "problem", reason: "x" },
      "/api/v1/admin/clients/{client}/change": { scopes: ["payments"], profile: "problem", reason: "x" },
      "/api/v1/admin/event-sources": { source: "shop", reason: "x" },
      "/api/v1/admin/views": { page: "operations", name: "Mine", search: "" },
      "/api/v1/admin/views/{id}/change": { name: "Mine" },
      "/api/v1/admin/views/{id}/delete": {},
      "/api/v1/admin/conflicts/mark": { client: "till", operation: "payments.create", mark: "ours", reason: "x" },
      "/api/v1/admin/invariants/check": {},
      "/api/v1/admin/operations/{id}/assign": { to: "me" },
    };
    const wrong: unknown[] = [];
    for (const { path } of keyed) {
      const caller = path.startsWith("/api/v1/admin/") ? admin : till;
      const named = path.replace("/api/v1", "").replace(/\{\w+\}/g, "0198aaaa-0000-7000-8000-000000000000");
      const body = path.startsWith("/api/v1/admin/") ? (bodies[path] ?? { reason: "x" }) : {};
      const answer = await caller.post(named, body, { key: null });
      const results = [answer.status, answer.json?.["code"]];
      if (results.join(" ") !== "400 idempotency.key_missing") wrong.push([path, ...results, answer.json?.["detail"]]);
    }
    expect(wrong).toEqual([]);
    expect(await host.rows("select 1 from onceboard.idempotency_requests")).toEqual([]);
  });

  it("has no other route that changes something, but those that are harmless otherwise", () => {
    const other = routeFacts(app()).filter((route) => !route.keyed);
    expect(other.map(({ path, otherwise }) => [path, otherwise !== undefined])).toEqual(
      expect.arrayContaining([
        ["/api/v1/events/{source}", true],
        ["/api/v1/mesh", true],
      ]),
    );
    expect(other.filter(({ otherwise }) => otherwise === undefined)).toEqual([]);
  });

  it("KEY-7 a route that needs its key says so to another copy of the module too", async () => {
    vi.resetModules();
    const other = await import("./declare");
    expect(other.declared).not.toBe(declared);
    const handler: Handler<ApiEnv> = (c) => c.json({});
    const about = { id: "keyed", summary: "Needs a key", answers: {}, keyed: true };
    const bare = new Hono<ApiEnv>()
      .post("/api/v1/keyed", declared(about, handler))
      .post("/api/v1/bare", (c) => c.json({}));
    expect(other.routeFacts(bare).map(({ path, keyed }) => [path, keyed])).toEqual([
      ["/api/v1/keyed", true],
      ["/api/v1/bare", false],
    ]);
  });

  it("shows a route that was added without a key", async () => {
    const whole = app();
    whole.post("/api/v1/payouts", (c) => c.json({}));
    const cancel: Handler<ApiEnv> = (c) => c.json({});
    const about = { id: "cancel", summary: "Cancel", answers: {}, keyed: true };
    whole.post("/api/v1/payouts/:id/cancel", declared(about, cancel));
    if (host.deps === undefined) throw new Error("in process only");
    const { routes, profiles, metrics, document } = await deploymentFacts(whole, host.deps);
    expect(routes).toContainEqual({ method: "POST", path: "/api/v1/payouts", keyed: false, otherwise: undefined });
    expect(routes).toContainEqual(expect.objectContaining({ path: "/api/v1/payouts/{id}/cancel", keyed: true }));
    expect(profiles).toEqual(
      ["problem", "playbook", "fault", "article"].map((profile) => ({ name: profile, mark: "replayed" })),
    );
    expect(metrics).toContain("idempotency_requests_total");
    expect(document?.map(({ path }) => path)).toContain("/payments/{id}/void");
  });
});
