import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consume } from "@/engine/inbox/consume";
import { engineContext } from "@/engine/context";
import { ensureEventSource, OWN_SOURCE } from "@/engine/inbox/event-source";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { signedIn } from "./testing/signed-in";
import { openTill, payment, tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

/** The published examples of the files with fixed columns. */
const REPLAY_OUTCOMES = `key,payload_hash,status,http_code,result_id,notes
k1,abc,complete,201,rf_123,created
k1,abc,complete,201,rf_123,replayed
k1,xyz,conflict,409,,payload mismatch
`;
const CONSUMER_INBOX = `event_id,source,first_seen,processed,result
ev_001,payments,2025-09-15T12:00:00Z,2025-09-15T12:00:03Z,ok
ev_001,payments,2025-09-15T12:00:05Z,2025-09-15T12:00:05Z,replayed
`;
/** What RFC 4180 ends a line with. */
const lines = (text: string): string => text.replaceAll("\r\n", "\n");

interface Entry {
  readonly actor_name: string;
  readonly subject_id: string;
  readonly after?: { readonly rows: number };
  readonly evidence?: { readonly filters: Readonly<Record<string, string>> };
}

describe.each(HOSTS)("EXPORT-1 exports of %s", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
    await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
  });
  afterAll(() => host.close());

  const take = (path: string): Promise<CheckedAnswer> => admin.get(`/admin/exports/${path}`);
  const audited = (action: string) =>
    host.rows<Entry>(
      "select actor_name, subject_id, after, evidence from onceboard.audit_entries where tenant_id = $1 and action = $2 order by id desc",
      host.tenant,
      action,
    );
  async function refundThrice(key: string): Promise<{ refundId: string; operationId: string }> {
    const paid = await till.post("/payments", payment());
    const body = { charge_id: paid.json?.["paymentId"], amount: 400 };
    const [first, , third] = [
      await till.post("/refunds", body, { key }),
      await till.post("/refunds", body, { key }),
      await till.post("/refunds", { ...body, amount: 500 }, { key }),
    ];
    expect(third.json?.["code"]).toBe("idempotency.payload_mismatch");
    return { refundId: String(first.json?.["refundId"]), operationId: String(first.headers["operation-id"]) };
  }
  /** Answers are written in batches, by a process of its own behind Next. */
  const written = (operationId: string, count: number) =>
    expect
      .poll(() =>
        host.rows(
          "select 1 from onceboard.idempotency_events where tenant_id = $1 and operation_id = $2 and outcome is not null",
          host.tenant,
          operationId,
        ),
      )
      .toHaveLength(count);

  it("reproduces the published replay outcomes: created, replayed, payload mismatch", async () => {
    const { refundId, operationId } = await refundThrice("k1");
    await written(operationId, 3);
    const csv = await take("replay-outcomes?operation=refunds.create");
    expect(csv.status).toBe(200);
    const hashes = [...csv.text.matchAll(/^k1,([0-9a-f]{16}),/gm)].map(([, hash]) => hash ?? "");
    expect(hashes).toHaveLength(3);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
    const asWritten = lines(csv.text)
      .replaceAll(refundId, "rf_123")
      .replaceAll(hashes[0] ?? "", "abc")
      .replaceAll(hashes[2] ?? "", "xyz");
    expect(asWritten).toBe(REPLAY_OUTCOMES);
    // Keyed: nobody who knows the body can compute it, and it is the start of the fingerprint that is kept.
    const [row] = await host.rows<{ hash: string }>(
      "select encode(fingerprint, 'hex') as hash from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2",
      host.tenant,
      operationId,
    );
    expect(row?.hash.slice(0, 16)).toBe(hashes[0]);
  });

  it("tells the retry log of one key as the server saw it", async () => {
    const key = `retry-${randomUUID()}`;
    const { operationId } = await refundThrice(key);
    await written(operationId, 3);
    const byKey = await take(`retry-log?key=${key}`);
    const rows = lines(byKey.text)
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
    expect(rows.map(([attempt, , status, code, notes]) => [attempt, status, code, notes])).toEqual([
      ["attempt", "status", "code", "notes"],
      ["1", "200", "201", "success"],
      ["2", "200", "201", "replayed"],
      ["3", "4xx", "409", "idempotency.payload_mismatch"],
    ]);
    expect(rows[0]?.[1]).toBe("delay_ms");
    expect(rows.slice(1).every(([, delay]) => /^\d+$/.test(delay ?? ""))).toBe(true);
    expect(rows[1]?.[1]).toBe("0");
    expect((await take(`retry-log?operationId=${operationId}`)).text).toBe(byKey.text);
  });

  it("refuses a retry log of nothing, of two things, and of a key that stands for two operations", async () => {
    const key = `both-${randomUUID()}`;
    const paid = await till.post("/payments", payment(), { key });
    await till.post("/refunds", { paymentId: paid.json?.["paymentId"], amount: "1.00" }, { key });
    expect((await take(`retry-log?key=${key}`)).json).toMatchObject({ status: 400, filters: ["operation"] });
    expect((await take(`retry-log?key=${key}&operation=payments.create`)).status).toBe(200);
    expect((await take("retry-log")).json).toMatchObject({ status: 400, code: "validation.filter" });
    expect((await take(`retry-log?key=${key}&operationId=${randomUUID()}`)).status).toBe(400);
    expect((await take(`retry-log?operationId=${randomUUID()}`)).json).toMatchObject({ code: "operation.not_found" });
    expect((await take("replay-outcomes?sate=1")).json).toMatchObject({ status: 400, filters: ["sate"] });
    expect((await take("everything")).status).toBe(404);
  });

  it.skipIf(name === "next")("reproduces the published consumer inbox: ok, then replayed", async () => {
    const { deps } = host;
    if (deps === undefined) throw new Error("in process only");
    const paid = await till.post("/payments", payment());
    const [message] = await host.rows<{ payload: unknown }>(
      "select payload from onceboard.outbox_messages where tenant_id = $1 and operation_id = $2",
      host.tenant,
      paid.headers["operation-id"],
    );
    const body = JSON.stringify(message?.payload);
    const signer = new Webhook(await ensureEventSource(deps.db, deps.keyring, host.tenant, OWN_SOURCE));
    const deliver = (): Promise<CheckedAnswer> =>
      host.call({
        method: "POST",
        path: `/api/v1/events/${OWN_SOURCE}?tenant=${host.tenant}`,
        headers: [
          ["content-type", "application/json"],
          ["webhook-id", "ev_001"],
          ["webhook-timestamp", String(Math.floor(Date.now() / 1_000))],
          ["webhook-signature", signer.sign("ev_001", new Date(), body)],
        ],
        body,
      });
    expect((await deliver()).status).toBe(202);
    const actor = { kind: "system", id: "consume", name: "consume" } as const;
    await consume(engineContext(deps.engine, { tenantId: host.tenant, actor, requestId: "r" }), deps.consumers);
    expect((await deliver()).status).toBe(200);
    const posted = await host.rows(
      "select 1 from payments.ledger_entries where tenant_id = $1 and source_id::text = $2",
      host.tenant,
      paid.json?.["paymentId"],
    );
    expect(posted).toHaveLength(1);

    const csv = await take("consumer-inbox?consumer=ledger&messageId=ev_001");
    const [, first = [], second = []] = lines(csv.text)
      .split("\n")
      .map((line) => line.split(","));
    expect([first[4], second[4]]).toEqual(["ok", "replayed"]);
    expect(Date.parse(first[3] ?? "")).toBeGreaterThanOrEqual(Date.parse(first[2] ?? ""));
    expect(second[3]).toBe(second[2]);
    // The same rows on the day of the published example.
    await host.rows(
      `create table onceboard.inbox_arrivals_20250915 partition of onceboard.inbox_arrivals for values from ('2025-09-15') to ('2025-09-16')`,
    );
    await host.rows(
      `update onceboard.inbox_messages set received_at = '2025-09-15T12:00:00Z', processed_at = '2025-09-15T12:00:03Z' where tenant_id = $1 and message_id = 'ev_001'`,
      host.tenant,
    );
    await host.rows(
      `update onceboard.inbox_arrivals a set day = '2025-09-15', at = case a.outcome when 'recorded' then '2025-09-15T12:00:00Z'::timestamptz else '2025-09-15T12:00:05Z' end
       from onceboard.inbox_messages m where m.tenant_id = a.tenant_id and m.id = a.inbox_id and a.tenant_id = $1 and m.message_id = 'ev_001'`,
      host.tenant,
    );
    const dated = await take("consumer-inbox?consumer=ledger&from=2025-09-15T00:00:00Z&to=2025-09-16T00:00:00Z");
    expect(lines(dated.text).replaceAll(`,${OWN_SOURCE},`, ",payments,")).toBe(CONSUMER_INBOX);
    // The end of a window is not in it.
    const before = await take("consumer-inbox?consumer=ledger&from=2025-09-15T00:00:00Z&to=2025-09-15T12:00:05Z");
    expect(lines(before.text).trimEnd().split("\n")).toHaveLength(2);
  });

  it("is a download that nothing caches, whose cells are no formulas", async () => {
    const key = "=cmd('/C')!A0";
    await till.post("/payments", payment(), { key });
    await till.post("/payments", payment(), { key: '"-1+1 of \\"mine\\",a"' });
    const csv = await take("replay-outcomes?operation=payments.create&range=1h");
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(csv.headers["content-disposition"]).toMatch(
      new RegExp(`^attachment; filename="replay-outcomes-${host.tenant}-\\d{8}T\\d{6}Z\\.csv"$`),
    );
    expect(csv.text).toContain(`\r\n'${key},`);
    expect(csv.text).toContain(`\r\n"'-1+1 of ""mine"",a",`);
    expect(csv.text.split("\r\n").every((line) => !/^[=+\-@]/.test(line))).toBe(true);
  });

  it("EXPORT-4 says who took what; what was refused leaves no entry", async () => {
    const before = (await audited("exports.replay_outcomes")).length;
    await take("replay-outcomes?range=6h&client=till");
    const [entry, ...others] = await audited("exports.replay_outcomes");
    expect(others).toHaveLength(before);
    expect([entry?.actor_name, entry?.subject_id]).toEqual(["till", host.tenant]);
    const { filters } = entry?.evidence ?? {};
    expect(filters?.["client"]).toBe("till");
    expect(Date.parse(filters?.["until"] ?? "") - Date.parse(filters?.["from"] ?? "")).toBe(6 * 3_600_000);
    expect(entry?.after?.rows).toBeGreaterThan(0);
    expect((await till.get("/admin/exports/replay-outcomes")).status).toBe(403);
    expect((await host.call({ path: "/api/v1/admin/exports/replay-outcomes" })).status).toBe(401);
    expect(await audited("exports.replay_outcomes")).toHaveLength(before + 1);
    const [log] = await audited("exports.retry_log");
    expect(log?.evidence).toEqual({ filters: { operationId: log?.subject_id } });
  });

  it("shows a viewer what the lists show, and nobody another tenant", async () => {
    const cookie = await signedIn(host, "viewer");
    const key = `viewed-${randomUUID()}`;
    await till.post("/payments", payment(), { key });
    const look = (site: string, tenant = host.tenant): Promise<CheckedAnswer> =>
      host.call({
        path: `/api/v1/admin/exports/replay-outcomes?range=1h&tenant=${tenant}`,
        headers: [
          ["cookie", cookie],
          ["sec-fetch-site", site],
        ],
      });
    expect((await look("same-origin")).text).toContain(`\r\n${key},`);
    expect((await look("cross-site")).json).toMatchObject({ code: "auth.cross_site" });
    const stranger = tillOf(host, await host.key(["admin"], { tenant: host.otherTenant }));
    expect((await stranger.get("/admin/exports/replay-outcomes")).text).not.toContain(key);
    expect((await look("same-origin", host.otherTenant)).text).not.toContain(key);
  });
});
