import { Agent, createServer, request, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFaultProxy, type FaultProxy, type ProxyRates } from "./fault-proxy";

let served: string[];
let server: Server;
let target: string;
let proxy: FaultProxy | undefined;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  served = [];
  server = createServer((incoming, response) => {
    let size = 0;
    incoming.on("data", (chunk: Buffer) => (size += chunk.length));
    incoming.on("end", () => {
      served.push(incoming.url ?? "");
      response.end(`${incoming.url ?? ""} ${String(size)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  target = `http://127.0.0.1:${String(typeof address === "object" && address ? address.port : 0)}`;
});
afterEach(async () => {
  await proxy?.close();
  server.closeAllConnections();
  server.close();
});

async function behind(rates: Partial<ProxyRates>, random?: () => number): Promise<void> {
  proxy = await startFaultProxy({ target, port: 0, rates, delayMs: 60, ...(random ? { random } : {}) });
}
/** One POST over one kept connection. */
function post(path: string, body = "x"): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request((proxy?.url ?? "") + path, { method: "POST", agent }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => {
        resolve(text);
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("the fault proxy", () => {
  it("passes requests of any size over a kept connection", async () => {
    await behind({});
    expect(await post("/a")).toBe("/a 1");
    expect(await post("/b", "y".repeat(3_000_000))).toBe("/b 3000000");
    expect(proxy?.counts()).toEqual({ passed: 2, cutBefore: 0, cutAfter: 0, delayed: 0 });
  });

  it("cuts before: the server never sees the request", async () => {
    await behind({ cutBefore: 1 });
    await expect(post("/a")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(served).toEqual([]);
  });

  it("cuts after: the server has served, the caller does not know", async () => {
    await behind({ cutAfter: 1 });
    await expect(post("/a")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(served).toEqual(["/a"]);
  });

  it("draws again for every exchange of one connection", async () => {
    const dice = [0.9, 0.1, 0.9];
    await behind({ cutAfter: 0.5 }, () => dice.shift() ?? 0.9);
    expect(await post("/1")).toBe("/1 1");
    await expect(post("/2")).rejects.toThrow();
    expect(await post("/3")).toBe("/3 1");
    expect(served).toEqual(["/1", "/2", "/3"]);
    expect(proxy?.counts()).toEqual({ passed: 2, cutBefore: 0, cutAfter: 1, delayed: 0 });
  });

  it("delays without losing order", async () => {
    await behind({ delay: 1 });
    const started = performance.now();
    expect(await post("/late", "z".repeat(500_000))).toBe("/late 500000");
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  it("refuses a target it could not read", async () => {
    await expect(startFaultProxy({ target: "https://example.com", port: 0, rates: {} })).rejects.toThrow("plain http");
  });
});
