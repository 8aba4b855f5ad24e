import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOPS } from "./forward-home";
import { openHost, type TestHost } from "../testing/host";
import { footprint, payment, tillOf, type Till } from "../testing/till";

const HOME = "eu-west";

/** Two deployments, each with a database of its own; the tenant and its API key are known to both, its home is the second one. */
describe.each(["hono", "mounted"] as const)("REGION-4 a request in the wrong region, on %s", (name) => {
  let home: TestHost;
  let here: TestHost;
  /** Its callers come to the wrong region. */
  let till: Till;
  let apiKey: string;
  /** Takes a request and breaks its connection off. */
  const broken = createServer((socket) =>
    socket.once("data", (bytes) => {
      taken = bytes.toString("latin1").toLowerCase();
      socket.destroy();
    }),
  );
  let taken = "";
  beforeAll(async () => {
    home = await openHost("hono", { env: { REGION: HOME } });
    const closed = await portOf(createServer(), true);
    const peers = [
      `${HOME}=${home.url}`,
      `us=http://127.0.0.1:${closed}`,
      `sa=http://127.0.0.1:${await portOf(broken)}`,
    ];
    here = await openHost(name, { env: { REGION_PEERS: peers.join(",") } });
    apiKey = await home.key(["payments", "accounts"]);
    for (const table of ["tenants", "api_clients", "api_keys"]) {
      const rows = await home.rows<{ row: unknown }>(`select to_jsonb(t) as row from onceboard.${table} t`);
      for (const { row } of rows)
        await here.rows(
          `insert into onceboard.${table} select * from jsonb_populate_record(null::onceboard.${table}, $1) on conflict do nothing`,
          JSON.stringify(row),
        );
    }
    await home.rows("update onceboard.tenants set home_region = $1 where id = $2", HOME, home.tenant);
    await move(HOME);
    till = tillOf(here, apiKey);
    await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
  });
  afterAll(async () => {
    broken.close();
    await here.close();
    await home.close();
  });
  const move = (region: string) =>
    here.rows("update onceboard.tenants set home_region = $2 where id = $1", home.tenant, region);
  const direct = (): Till => tillOf(home, apiKey);
  const operations = (host: TestHost) =>
    host.rows("select 1 from onceboard.idempotency_requests where tenant_id = $1", home.tenant);

  it("is executed at home once, whichever region its retries come to", async () => {
    const [key, body] = [randomUUID(), payment()];
    const before = (await operations(home)).length;
    const first = await till.post("/payments", body, { key });
    const again = await till.post("/payments", body, { key });
    const there = await direct().post("/payments", body, { key });
    expect([first.status, again.status, there.status]).toEqual([201, 201, 201]);
    expect([again.text, there.text]).toEqual([first.text, first.text]);
    expect([first.headers["idempotency-status"], again.headers["idempotent-replayed"]]).toEqual(["stored", "true"]);
    expect((await operations(home)).length).toBe(before + 1);
    expect(await operations(here)).toEqual([]);
    const read = await till.get(`/payments/${String(first.json?.["paymentId"])}`);
    expect(read.json?.["paymentId"]).toBe(first.json?.["paymentId"]);
  });

  it("is refused there as it would be without us: another command, no key, two keys, nothing of that name", async () => {
    const key = randomUUID();
    await till.post("/payments", payment({ amount: "1.00" }), { key });
    const conflict = await till.post("/payments", payment({ amount: "2.00" }), { key });
    expect(conflict.json).toMatchObject({
      code: "idempotency.payload_mismatch",
      differingFields: ["amount", "merchantReference"],
    });
    expect((await till.post("/payments", payment(), { key: null })).json).toMatchObject({
      code: "idempotency.key_missing",
    });
    const twice = await here.call({
      method: "POST",
      path: "/api/v1/payments",
      headers: [
        ["authorization", `Bearer ${apiKey}`],
        ["content-type", "application/json"],
        ["idempotency-key", "one"],
        ["idempotency-key", "two"],
      ],
      body: JSON.stringify(payment()),
    });
    // Without Node's own request two lines are one value.
    if (name === "hono") expect(twice.json).toMatchObject({ code: "idempotency.key_invalid" });
    expect((await till.get(`/payments/${randomUUID()}`)).json).toMatchObject({ code: "payment.not_found" });
  });

  it("goes no further than one region, and not to one that nobody named", async () => {
    const before = await footprint(here);
    const looping = await here.call({
      method: "POST",
      path: "/api/v1/payments",
      headers: [
        ["authorization", `Bearer ${apiKey}`],
        ["content-type", "application/json"],
        ["idempotency-key", randomUUID()],
        [HOPS, "1"],
      ],
      body: JSON.stringify(payment()),
    });
    expect(looping.json).toMatchObject({ status: 421, code: "tenant.wrong_region", homeRegion: HOME });
    // The tenant moved on, and this region does not know it yet: its home of before refuses, and forwards nothing.
    await home.rows("update onceboard.tenants set home_region = 'ap-south' where id = $1", home.tenant);
    expect((await till.post("/payments", payment())).json).toMatchObject({ status: 421, code: "tenant.wrong_region" });
    await home.rows("update onceboard.tenants set home_region = $1 where id = $2", HOME, home.tenant);
    expect(await footprint(here)).toEqual(before);
  });

  it.each([
    ["us", "It could not be reached, so nothing was recorded or executed. Retry with the same key."],
    ["sa", "It is not known whether this request had an effect. Retry with the same key."],
  ])("is told how certain it is that nothing happened, where its home %s does not answer", async (region, detail) => {
    const before = await footprint(here);
    await move(region);
    // Of a key that this process remembers it believes the home of a moment ago.
    const fresh = await here.key(["payments"], { tenant: home.tenant, name: `till-${randomUUID()}` });
    const answer = await tillOf(here, fresh).post("/payments", payment());
    expect(answer.json).toMatchObject({ status: 503, code: "dependency.unavailable", detail, homeRegion: region });
    await move(HOME);
    expect(await footprint(here)).toEqual(before);
  });

  it("takes its key and its time along, and nothing by which its caller could pass for another", async () => {
    await move("sa");
    const fresh = tillOf(here, await here.key(["payments"], { tenant: home.tenant, name: `till-${randomUUID()}` }));
    const headers = [
      ["x-forwarded-for", "198.51.100.7"],
      ["cookie", "session_token=somebody"],
      ["x-request-timeout", "5000"],
    ] as const;
    await fresh.post("/payments", payment(), { key: "forwarded-key", headers });
    await move(HOME);
    expect(taken).toContain("idempotency-key: forwarded-key");
    expect(taken).toContain(`${HOPS}: 1`);
    expect(Number(/x-request-timeout: (\d+)/.exec(taken)?.[1])).toBeLessThanOrEqual(5_000);
    expect(taken).not.toMatch(/198\.51\.100\.7|session_token/);
    // Without Node's own request no address is known.
    if (name === "hono") expect(taken).toContain("x-forwarded-for: 127.0.0.1");
  });
});

async function portOf(server: ReturnType<typeof createServer>, closed = false): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  if (closed) server.close();
  return String(port);
}
