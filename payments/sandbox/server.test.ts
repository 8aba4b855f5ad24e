import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LEDGER_FILE } from "./ledger";
import { startSandbox, type Sandbox } from "./server";

const CHARGE = { amount: "1000", currency: "EUR", accountId: "acc_1", metadata: { tenant: "acme" } };
let dataDir: string;
let sandbox: Sandbox;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "sandbox-"));
  sandbox = await startSandbox({ port: 0, dataDir });
});
afterEach(async () => {
  await sandbox.close();
  rmSync(dataDir, { recursive: true });
});

async function call(
  path: string,
  body?: unknown,
  key?: string,
  signal?: AbortSignal,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(sandbox.url + path, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const charge = (key: string, body: unknown = CHARGE, signal?: AbortSignal) => call("/v1/charges", body, key, signal);
const faults = (body: unknown) => call("/_control/faults", body);
async function ledger(): Promise<{ entries: Record<string, unknown>[]; requests: Record<string, number> }> {
  return (await call("/_control/ledger")).body as Awaited<ReturnType<typeof ledger>>;
}

describe("the sandbox provider", () => {
  it("gives one object per key and refuses the key for anything else", async () => {
    const first = await charge("k1");
    const second = await charge("k1");
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect((await charge("k1", { ...CHARGE, amount: "2000" })).status).toBe(409);
    expect((await call("/v1/objects/by-key/k1")).body).toEqual(first.body);
    expect((await call("/v1/objects/by-key/never")).status).toBe(404);
    const { entries, requests } = await ledger();
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ providerKey: "k1", amount: "1000", kind: "charge", requests: 3 });
    expect(requests).toEqual({ k1: 3 });
  });

  it("declines charges that end in .51 and refunds and voids them not", async () => {
    expect((await charge("k51", { ...CHARGE, amount: "31251" })).body).toMatchObject({
      status: "declined",
      declineCode: "insufficient_funds",
    });
    const refund = { ...CHARGE, amount: "51", chargeReference: "ch_1" };
    expect((await call("/v1/refunds", refund, "r1")).body).toMatchObject({ kind: "refund", status: "succeeded" });
    expect((await call("/v1/voids", refund, "v1")).body).toMatchObject({ kind: "void", status: "succeeded" });
    expect((await call("/v1/refunds", CHARGE, "r2")).status).toBe(400);
  });

  it("timeout_after_accept keeps silent although it acted; timeout_before did not act", async () => {
    await faults({ timeout_after_accept: 1 });
    await expect(charge("late", CHARGE, AbortSignal.timeout(150))).rejects.toThrow();
    await faults({ timeout_after_accept: 0, timeout_before: 1 });
    await expect(charge("lost", CHARGE, AbortSignal.timeout(150))).rejects.toThrow();
    expect((await ledger()).entries.map((entry) => entry["providerKey"])).toEqual(["late"]);
    expect((await ledger()).requests).toEqual({ late: 1, lost: 1 });
  });

  it.each([
    ["error_before", 500, 0],
    ["error_after_accept", 500, 1],
    ["rate_limit", 429, 0],
  ])("%s answers %i with %i effects", async (kind, status, effects) => {
    await faults({ [kind]: 1 });
    expect((await charge("k")).status).toBe(status);
    expect((await ledger()).entries).toHaveLength(effects);
  });

  it("down cuts the connection, garbage is not JSON, lookup_down spares charges", async () => {
    await faults({ down: 1 });
    await expect(charge("k")).rejects.toThrow();
    expect((await ledger()).entries).toHaveLength(0);
    await faults({ down: 0, garbage: 1 });
    await expect(charge("k")).rejects.toThrow(SyntaxError);
    await faults({ garbage: 0, lookup_down: 1 });
    expect((await charge("k")).status).toBe(200);
    expect((await call("/v1/objects/by-key/k")).status).toBe(503);
    expect((await faults({ nonsense: 1 })).status).toBe(400);
  });

  it("processing stays so until it is settled", async () => {
    await faults({ processing: 1 });
    expect((await charge("k")).body["status"]).toBe("processing");
    expect((await call("/_control/settle", { providerKey: "k", status: "succeeded" })).body["status"]).toBe(
      "succeeded",
    );
    expect((await call("/_control/settle", { providerKey: "k", status: "declined" })).status).toBe(409);
    expect((await call("/v1/objects/by-key/k")).body["status"]).toBe("succeeded");
  });

  it("late_ms: nothing is there when the caller gives up, and an effect is later", async () => {
    await faults({ late_ms: 300 });
    await expect(charge("late", CHARGE, AbortSignal.timeout(100))).rejects.toThrow();
    expect((await call("/v1/objects/by-key/late")).status).toBe(404);
    await vi.waitFor(async () => {
      expect((await call("/v1/objects/by-key/late")).status).toBe(200);
    }, 10_000);
  });

  it("has troubles with one account only, its look-ups and a key that never arrived included", async () => {
    const own = (accountId: string, body: unknown) => call(`/_control/accounts/${accountId}/faults`, body);
    await own("acc_1", { down: 1 });
    await expect(charge("k1")).rejects.toThrow();
    await expect(call("/v1/objects/by-key/k1")).rejects.toThrow();
    expect((await charge("k2", { ...CHARGE, accountId: "acc_2" })).status).toBe(201);
    await faults({ down: 1 });
    expect((await own("acc_1", { down: 0 })).status).toBe(200);
    expect((await charge("k1")).status).toBe(201);
    await own("acc_1", {});
    await expect(charge("k1")).rejects.toThrow();
    expect((await own("acc_1", { nonsense: 1 })).status).toBe(400);
  });

  it("keeps its ledger over a restart, half a last line included", async () => {
    const first = await charge("k1");
    await sandbox.close();
    appendFileSync(join(dataDir, LEDGER_FILE), '{"type":"accep');
    sandbox = await startSandbox({ port: 0, dataDir });
    expect((await charge("k1")).body).toEqual(first.body);
    await charge("k2");
    await sandbox.close();
    sandbox = await startSandbox({ port: 0, dataDir });
    expect((await ledger()).requests).toEqual({ k1: 2, k2: 1 });
    await call("/_control/reset", {});
    expect((await ledger()).entries).toEqual([]);
  });
});

describe("its webhooks", () => {
  it("are signed, routed to the tenant, retried, and doubled on demand with one id", async () => {
    const secret = `whsec_${Buffer.from("a secret of enough length").toString("base64")}`;
    const got: { url: string; id: string; event: unknown }[] = [];
    let refusals = 1;
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const headers = request.headers as Record<string, string>;
        const event = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers);
        if (refusals-- > 0) {
          response.writeHead(503).end();
          return;
        }
        got.push({ url: request.url ?? "", id: headers["webhook-id"] ?? "", event });
        response.writeHead(202).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const address = receiver.address();
    const port = typeof address === "object" && address ? address.port : 0;
    await sandbox.close();
    sandbox = await startSandbox({
      port: 0,
      dataDir,
      webhook: { url: `http://127.0.0.1:${String(port)}/events/provider`, secret },
    });
    await faults({ duplicate_webhook: 1 });
    const { body } = await charge("k1");
    await vi.waitFor(
      () => {
        expect(got).toHaveLength(2);
      },
      { timeout: 5_000 },
    );
    expect(new Set(got.map((entry) => entry.id)).size).toBe(1);
    expect(got[0]?.url).toBe("/events/provider?tenant=acme");
    expect(got[0]?.event).toMatchObject({
      type: "charge.succeeded",
      data: { id: body["id"], providerKey: "k1", amount: "1000" },
    });
    await faults({ duplicate_webhook: 0, no_webhook: 1 });
    await charge("k2");
    await faults({ no_webhook: 0 });
    await charge("k3");
    await vi.waitFor(
      () => {
        expect(got).toHaveLength(3);
      },
      { timeout: 5_000 },
    );
    expect(got[2]?.event).toMatchObject({ data: { providerKey: "k3" } });
    receiver.close();
    receiver.closeAllConnections();
  });
});
