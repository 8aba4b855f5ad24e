import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendPart } from "./campaign";
import { openTarget, type FuzzTarget } from "./target";

/** A share of what `npm run test:fuzz` sends; FUZZ_SEED sends the same again. */
const REQUESTS = { wire: 250, calls: 250, odd: 400 } as const;

describe("no request makes the server fall", () => {
  const seed = process.env["FUZZ_SEED"] ?? String(Date.now());
  let at: FuzzTarget;
  beforeAll(async () => {
    at = await openTarget();
  });
  afterAll(() => at.close());
  const send = (part: keyof typeof REQUESTS) =>
    sendPart(at, { part, from: 0, requests: REQUESTS[part], seed, say: () => undefined });

  it("and what must be refused leaves nothing", async () => {
    const before = await at.rows();
    const findings = [...(await send("wire")).findings, ...(await send("calls")).findings];
    expect([seed, findings, await at.keysUsed(), at.faults]).toEqual([seed, [], [], []]);
    expect([seed, await at.rows()]).toEqual([seed, before]);
  });

  it("nor any odd value in a path, a query, a header or a body", async () => {
    const { findings, statuses } = await send("odd");
    expect([seed, findings, at.faults]).toEqual([seed, [], []]);
    // Some get through to what is behind the door.
    expect(statuses.get(200)).toBeGreaterThan(0);
  });

  it("nor a reference that only an operation without money carries, which schemathesis made", async () => {
    const [admin, till] = [/key for admin/, /key for payments/].map((name) =>
      at.callers.find((one) => name.test(one.name)),
    );
    const account = `acc_${randomUUID()}`;
    const send = (method: "POST" | "PUT", path: string, body: object) =>
      at.host.call({
        ...{ method, path, body: JSON.stringify(body) },
        headers: [...(till?.headers ?? []), ["idempotency-key", randomUUID()], ["content-type", "application/json"]],
      });
    await send("POST", "/api/v1/accounts", { accountId: account, currency: "EUR" });
    await send("PUT", `/api/v1/accounts/${account}/settings/default-currency`, { currency: "USD" });
    await at.host.rows(
      "update onceboard.idempotency_requests set reference = $1 where operation <> 'payments.create' and tenant_id = $2 and resource_id = $1",
      account,
      at.host.tenant,
    );
    const read = await at.host.call({ path: `/api/v1/admin/references/${account}`, headers: admin?.headers ?? [] });
    expect(read.status).toBe(200);
  });
});
