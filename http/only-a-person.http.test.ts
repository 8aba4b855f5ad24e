import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { openTill, payment, type Till } from "./testing/till";

describe.each(HOSTS)("PROVIDER-5 an unknown outcome that only a person settles, at %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());

  it("PROVIDER-5 gets one stable answer, and its status does not invite to ask every second", async () => {
    await host.faults({ timeout_after_accept: 1 });
    const [key, body] = [randomUUID(), payment()];
    const first = await till.post("/payments", body, { key });
    await host.faults({ timeout_after_accept: 0 });
    expect(first.status).toBe(504);
    const id = String(first.json?.["operationId"]);
    // As for a provider that can neither be asked nor sent the same key again (tests/console/provider-kinds.db.test.ts).
    await host.rows("update onceboard.idempotency_open set next_check_at = null where operation_id = $1", id);
    const answers = [await till.post("/payments", body, { key }), await till.post("/payments", body, { key })];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, json: { code: "idempotency.outcome_unknown" } });
      expect(answer.headers["retry-after"]).toBe("60");
    }
    const status = await till.get(`/operations/${id}`);
    expect(status.headers["retry-after"]).toBe("60");
    expect(status.json).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY" });
  });
});
