import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listTenants } from "@/db/tenants";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { footprint, openTill, payment, tillOf, type Till } from "./testing/till";

/** A tenant's keys live in its home region; anywhere else nobody can know what they stand for. */
describe.each(HOSTS)("REGION-1 a tenant of another region, on %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());
  const move = (home: string) =>
    host.rows("update onceboard.tenants set home_region = $2 where id = $1", host.tenant, home);

  it("REGION-2 is refused from the commit of its move on, also by a process that remembers its key", async () => {
    const key = randomUUID();
    const body = payment();
    const first = await till.post("/payments", body, { key });
    expect(first.status).toBe(201);
    await move("eu-west");
    const before = await footprint(host);
    // The key was looked up a moment ago, so this process still believes in the old home: the database does not.
    const retry = await till.post("/payments", body, { key });
    const fresh = await till.post("/payments", payment());
    for (const answer of [retry, fresh]) {
      expect(answer.status).toBe(421);
      expect(answer.json).toMatchObject({
        ...{ code: "tenant.wrong_region", retryable: false },
        detail:
          "Nothing was recorded or executed here. Send the same request with the same key to the tenant's home region.",
      });
      expect(answer.headers["x-should-retry"]).toBe("false");
    }
    expect(await footprint(host)).toEqual(before);
    await move("local");
    const back = await till.post("/payments", body, { key });
    expect([back.status, back.text]).toEqual([201, first.text]);
    expect(back.headers["idempotent-replayed"]).toBe("true");
  });

  it("REGION-1 is told where its home is, for whatever it asks", async () => {
    await move("eu-west");
    // A key that this process has not seen yet.
    const stranger = tillOf(host, await host.key(["payments", "accounts"], { name: `till-${randomUUID()}` }));
    const answers = [
      await stranger.post("/payments", payment()),
      await stranger.post("/accounts", { accountId: "acc_r", currency: "EUR" }),
      await stranger.get(`/payments/${randomUUID()}`),
    ];
    for (const answer of answers)
      expect(answer.json).toMatchObject({ status: 421, code: "tenant.wrong_region", homeRegion: "eu-west" });
    await move("local");
  });

  it("REGION-3 is left alone by the loops of other regions", async () => {
    await move("eu-west");
    expect(await listTenants(host.db.pool, "local")).not.toContain(host.tenant);
    expect(await listTenants(host.db.pool, "eu-west")).toContain(host.tenant);
    await move("local");
  });
});
