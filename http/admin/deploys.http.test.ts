import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { openTill, type Till } from "../testing/till";

describe.each(HOSTS)("deploys over HTTP on %s (RISK-3)", (name) => {
  let host: TestHost;
  let admin: Till;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
  });
  afterAll(() => host.close());

  const deploys = () =>
    host.rows<{ service: string; version: string; link: string | null; ago: number }>(
      `select service, version, link, round(extract(epoch from now() - at))::int as ago from onceboard.deploys where tenant_id = $1 order by reported_at`,
      host.tenant,
    );
  const report = (fields: Readonly<Record<string, unknown>>, key: string = randomUUID()) =>
    admin.post("/admin/deploys", { service: "api", version: "2.31.0", ...fields }, { key });

  it("marks a deploy once per key, with an entry in the audit", async () => {
    const key = randomUUID();
    const first = await report({ link: "https://ci.example/runs/7" }, key);
    expect(first.json).toMatchObject({
      action: "deploys.report",
      changed: true,
      message: "Deploy api 2.31.0 is marked.",
      after: { service: "api", version: "2.31.0", link: "https://ci.example/runs/7" },
    });
    const again = await report({ link: "https://ci.example/runs/7" }, key);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.json).toMatchObject({ auditId: first.json?.["auditId"] });
    expect(await deploys()).toEqual([{ service: "api", version: "2.31.0", link: "https://ci.example/runs/7", ago: 0 }]);
    const audit = await host.rows(
      "select subject_type, after ->> 'version' as version from onceboard.audit_entries where tenant_id = $1 and action = 'deploys.report'",
      host.tenant,
    );
    expect(audit).toEqual([{ subject_type: "deploy", version: "2.31.0" }]);
    expect(await report({ version: "2.32.0" }, key)).toMatchObject({
      status: 409,
      json: { code: "idempotency.payload_mismatch" },
    });
  });

  it("takes the time that the pipeline says, of any zone, as far back as marks are kept and hardly ahead", async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect((await report({ version: "b", at: at(-60).replace("Z", "+00:00") })).status).toBe(200);
    expect((await deploys()).at(-1)).toMatchObject({ version: "b", ago: 3_600 });
    for (const minutes of [10, -31 * 1_440])
      expect(await report({ at: at(minutes) })).toMatchObject({ status: 422, json: { code: "validation.deploy" } });
    expect(await deploys()).toHaveLength(2);
  });

  it.each([
    ["a name of nothing", { service: " " }],
    ["a version of 101 characters", { version: "v".repeat(101) }],
    ["a link that runs something", { link: "javascript:alert(1)" }],
    ["a time that is none", { at: "yesterday" }],
    ["a member that it does not know", { commit: "abc" }],
  ])("refuses %s", async (_what, fields) => {
    expect((await report(fields)).status).toBe(422);
    expect(await deploys()).toHaveLength(2);
  });

  it("is for who acts in the console, not for a till", async () => {
    expect((await till.post("/admin/deploys", { service: "api", version: "1" })).status).toBe(403);
  });
});
