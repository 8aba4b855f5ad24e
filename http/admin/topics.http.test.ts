import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FlowView } from "@/presentation/views/flow";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { openTill, payment, type Till } from "../testing/till";

const reason = "the receiver is being moved";

interface Topic {
  readonly row: { readonly waiting: number; readonly paused?: { readonly by: string; readonly reason: string } };
  readonly route: { readonly version: number; readonly transport: string; readonly offered: readonly string[] };
}

describe.each(HOSTS)("topics over HTTP on %s (OUTBOX-6)", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  let other: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
    other = await openTill(host, ["admin", "payments"], host.otherTenant);
    expect((await till.post("/payments", payment())).status).toBe(201);
  });
  afterAll(() => host.close());

  const read = async (by: Till = admin) => (await by.get("/admin/topics/payments")).json as unknown as Topic;
  const version = async () => (await read()).route.version;
  const turn = (verb: string, expectedVersion: number, key: string = randomUUID(), topic = "payments") =>
    admin.post(`/admin/topics/${topic}/${verb}`, { expectedVersion, reason }, { key });
  const route = (fields: Readonly<Record<string, unknown>>, topic = "payments") =>
    admin.post(`/admin/topics/${topic}/route`, { reason, ...fields });
  const audits = () =>
    host.rows<{ action: string; reason: string; before: unknown; after: unknown }>(
      "select action, reason, before, after from onceboard.audit_entries where tenant_id = $1 and subject_type = 'topic' order by sequence",
      host.tenant,
    );

  it("says what moves from operations to topics, in a window and for one tenant (FLOW-1)", async () => {
    const flow = async (by: Till, search = "") => {
      const { status, json } = await by.get(`/admin/flow${search}`);
      return { status, flow: json as unknown as FlowView };
    };
    const { flow: own } = await flow(admin, "?window=1h");
    expect(own).toMatchObject({ window: "1h", minutes: { of: 60 } });
    expect(own.nodes.find(({ id }) => id === "topic:payments")).toMatchObject({ waiting: 1, dead: 0 });
    expect(own.edges).toContainEqual(
      expect.objectContaining({ from: "operation:payments.create", to: "topic:payments", tone: "plain" }),
    );
    expect((await flow(other)).flow).toMatchObject({ window: "now", nodes: [], edges: [] });
    expect((await flow(admin, "?window=2h")).status).toBe(400);
  });

  it("pauses and resumes a topic once per click, with before and after in the audit", async () => {
    expect(await read()).toMatchObject({
      row: { waiting: 1 },
      route: { version: 0, transport: "http", offered: ["http"] },
    });
    const key = randomUUID();
    const first = await turn("pause", 0, key);
    expect(first.json).toMatchObject({ action: "topics.pause", changed: true, after: { paused: true, version: 1 } });
    const second = await turn("pause", 0, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.json).toMatchObject({ auditId: first.json?.["auditId"] });
    expect((await read()).row.paused).toMatchObject({ reason });
    expect(await turn("pause", 1)).toMatchObject({ status: 200, json: { changed: false, affected: 0 } });
    expect(await version()).toBe(1);
    // Another tenant's topic of the same name goes on.
    expect((await other.post("/payments", payment())).status).toBe(201);
    expect((await read(other)).row.paused).toBeUndefined();
    expect((await turn("resume", 1)).json).toMatchObject({ changed: true, after: { paused: false, version: 2 } });
    expect((await read()).row.paused).toBeUndefined();
    expect((await audits()).map(({ action }) => action)).toEqual(["topics.pause", "topics.pause", "topics.resume"]);
    expect((await audits())[0]).toMatchObject({
      reason,
      before: { paused: false, version: 0 },
      after: { paused: true, version: 1 },
    });
  });

  it("of two who looked at the same version, one decides and the other is told who was first", async () => {
    const seen = await version();
    const [a, b] = await Promise.all([turn("pause", seen), turn("pause", seen)]);
    expect([a.status, b.status].sort()).toEqual([200, 409]);
    const refused = a.status === 409 ? a : b;
    expect(refused.json).toMatchObject({ code: "topic.version_conflict" });
    expect(refused.json?.["detail"]).toMatch(/^Nothing was changed\. .+ made version \d+\. Look again, then decide\.$/);
    expect(refused.text).toContain(`made version ${String(seen + 1)}. Look again`);
    expect(await version()).toBe(seen + 1);
    expect((await turn("resume", seen)).json).toMatchObject({ code: "topic.version_conflict", version: seen + 1 });
    expect((await turn("resume", seen + 1)).status).toBe(200);
  });

  it("routes a topic to another destination, and back to the default by an empty form", async () => {
    const expectedVersion = await version();
    const set = await route({ expectedVersion, transport: "http", destination: "https://events.example/in" });
    expect(set.json).toMatchObject({
      changed: true,
      before: { transport: null, destination: null },
      after: { transport: "http", destination: "https://events.example/in" },
    });
    expect(await read()).toMatchObject({ route: { chosen: "http", destination: "https://events.example/in" } });
    // What it was decided to do otherwise stays.
    expect((await turn("pause", expectedVersion + 1)).json).toMatchObject({
      after: { transport: "http", paused: true },
    });
    const back = await route({ expectedVersion: expectedVersion + 2, transport: "", destination: "" });
    expect(back.json).toMatchObject({ after: { transport: null, destination: null, paused: true } });
    expect((await turn("resume", expectedVersion + 3)).status).toBe(200);
  });

  it("refuses what this deployment cannot send by, and destinations that the transport cannot use", async () => {
    const expectedVersion = await version();
    const refused = async (fields: Readonly<Record<string, unknown>>, topic?: string) =>
      (await route({ expectedVersion, ...fields }, topic)).json;
    expect(await refused({ transport: "nats" })).toMatchObject({
      status: 422,
      code: "topic.transport_not_configured",
      detail: "Nothing was changed. NATS_URL is not set, so a message of this topic could not leave.",
    });
    expect(await refused({ transport: "rabbitmq", destination: "events" })).toMatchObject({
      code: "topic.transport_not_configured",
    });
    for (const destination of [
      "not a url",
      "ftp://files.example/",
      "https://user:secret@events.example/",
      "/events",
      "https://169.254.169.254/latest",
      "http://events.example/",
    ]) {
      expect(await refused({ destination }), destination).toMatchObject({ status: 422, code: "validation.topic" });
    }
    expect(await refused({ transport: "carrier-pigeon" })).toMatchObject({ status: 422, code: "validation.body" });
    expect(await refused({ destination: "https://events.example/" }, "mail")).toMatchObject({
      status: 422,
      code: "validation.topic",
      detail: "Nothing was changed. Mail and merchants' webhooks have a way of their own.",
    });
    expect(await version()).toBe(expectedVersion);
  });

  it("knows topics by their names only: nothing of another name is paused", async () => {
    for (const topic of ["nothing-was-ever-written-here", "%20", "a%2Fb", "x".repeat(201)]) {
      expect((await turn("pause", 0, undefined, topic)).status, topic).toBe(404);
      expect((await admin.get(`/admin/topics/${topic}`)).status, topic).toBe(404);
    }
    expect(
      await host.rows("select 1 from onceboard.topics where tenant_id = $1 and topic <> 'payments'", host.tenant),
    ).toEqual([]);
  });

  it("wants a key, a reason, a version and the right to", async () => {
    const body = { expectedVersion: await version(), reason };
    expect((await admin.post("/admin/topics/payments/pause", body, { key: null })).json).toMatchObject({
      code: "idempotency.key_missing",
    });
    expect((await admin.post("/admin/topics/payments/pause", { ...body, reason: " " })).status).toBe(422);
    expect((await admin.post("/admin/topics/payments/pause", { reason })).status).toBe(422);
    expect((await till.post("/admin/topics/payments/pause", body)).status).toBe(403);
    expect((await till.get("/admin/topics")).status).toBe(403);
    expect((await read()).row.paused).toBeUndefined();
  });

  it("lists topics and consumers with what waits there, and filters the outbox by how it travels (MESSAGE-1)", async () => {
    const topics = (await admin.get("/admin/topics")).json as unknown as { rows: { place: string; waiting: number }[] };
    expect(topics.rows.map(({ place }) => place)).toEqual(["payments"]);
    expect(topics.rows[0]?.waiting).toBe(1);
    expect((await admin.get("/admin/consumers")).json).toMatchObject({ side: "inbox", rows: [] });
    expect((await admin.get("/admin/consumers/nobody")).status).toBe(404);
    const listed = async (query: string) =>
      ((await admin.get(`/admin/outbox?${query}`)).json as unknown as { list: { rows: unknown[] } }).list.rows.length;
    expect(await listed("transport=http")).toBe(1);
    expect(await listed("transport=mail")).toBe(0);
    expect(await listed("state=failing")).toBe(0);
    expect(await listed("older=1h")).toBe(0);
    expect((await admin.get("/admin/outbox?transport=pigeon")).status).toBe(400);
  });
});
