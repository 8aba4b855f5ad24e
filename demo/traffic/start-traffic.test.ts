import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTrafficSettings } from "./options";
import { drawAmount, trafficProfile } from "./profile";
import { startTraffic } from "./start-traffic";
import { BEHAVIOUR_NAMES, chooseBehaviour, DEFAULT_WEIGHTS } from "./weights";

/** An API that keeps the contract in the smallest way: one answer per client and key, 409 for other content. */
interface Stub {
  readonly answers: Map<string, { body: string; answer: string; status: number }>;
  readonly counts: { executed: number; replayed: number; conflict: number };
  readonly paths: Set<string>;
  readonly principals: Set<string>;
  /** Clients with the version of the contract that they ask for. */
  readonly versions: Set<string>;
}
const stub: Stub = {
  answers: new Map(),
  counts: { executed: 0, replayed: 0, conflict: 0 },
  paths: new Set(),
  principals: new Set(),
  versions: new Set(),
};
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const principal = request.headers.authorization ?? "";
      const path = (request.url ?? "").replace(/^\/api\/v1\/payments\/[^/]+\//, "/api/v1/payments/{id}/");
      stub.paths.add(path);
      stub.principals.add(principal);
      stub.versions.add(`${principal} ${String(request.headers["api-version"] ?? "none")}`);
      const scope = `${principal} ${path} ${String(request.headers["idempotency-key"])}`;
      const known = stub.answers.get(scope);
      const outcome = known === undefined ? "executed" : known.body === body ? "replayed" : "conflict";
      stub.counts[outcome] += 1;
      if (known === undefined)
        stub.answers.set(scope, {
          body,
          status: 201,
          answer: JSON.stringify({ paymentId: `p${String(stub.answers.size)}` }),
        });
      const kept = stub.answers.get(scope);
      const headers = {
        "content-type": "application/json",
        ...(outcome === "replayed" ? { "idempotent-replayed": "true" } : {}),
      };
      if (outcome === "conflict")
        response
          .writeHead(409, headers)
          .end(JSON.stringify({ code: "idempotency.payload_mismatch", retryable: false }));
      else response.writeHead(kept?.status ?? 500, headers).end(kept?.answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${String(typeof address === "object" && address ? address.port : 0)}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe("the demo's traffic", () => {
  it("retries, replays and reuses keys through a proxy that loses answers, and stops", async () => {
    const keys = ["till-web", "till-ios", "partner-lumen", "marketplace-eu", "billing-cron"].map((name) => ({
      tenant: "acme",
      name,
      key: name,
    }));
    const weights = { ...DEFAULT_WEIGHTS, "reuse-key": 30 };
    const traffic = await startTraffic({
      baseUrl,
      keys,
      rate: 150,
      weights,
      cutBefore: 0.05,
      cutAfter: 0.1,
      seed: 7,
      print: () => undefined,
    });
    await vi.waitFor(
      () => {
        expect(stub.counts.executed).toBeGreaterThan(100);
        expect(stub.counts.replayed).toBeGreaterThan(10);
        expect(stub.counts.conflict).toBeGreaterThan(3);
        expect([...stub.paths].sort()).toEqual([
          "/api/v1/accounts",
          "/api/v1/mesh",
          "/api/v1/payments",
          "/api/v1/payments/{id}/void",
          "/api/v1/refunds",
        ]);
      },
      { timeout: 15_000, interval: 50 },
    );
    await traffic.stop();
    expect(stub.principals.size).toBe(5);
    // One client asks for the newer version, the others for none.
    expect([...stub.versions].filter((each) => !each.endsWith(" none"))).toEqual(["Bearer partner-lumen 2026-11-15"]);
    expect(stub.versions.size).toBe(5);
  }, 30_000);
});

describe("settings", () => {
  it("come from arguments before the environment", () => {
    const settings = readTrafficSettings(["--rate", "9", "--weight-hurry", "0"], {
      TRAFFIC_KEYS: "k.json",
      TRAFFIC_RATE: "3",
      TRAFFIC_SEED: "5",
    });
    expect(settings).toMatchObject({ rate: 9, seed: 5, keysPath: "k.json", baseUrl: "http://127.0.0.1:3000" });
    expect(settings.weights).toEqual({ ...DEFAULT_WEIGHTS, hurry: 0 });
  });

  it("name what is wrong", () => {
    expect(() => readTrafficSettings([], {})).toThrow("--keys");
    expect(() => readTrafficSettings(["--keys", "k", "--proxy-cut-after", "2"], {})).toThrow("--proxy-cut-after");
    expect(() => readTrafficSettings(["--keys", "k", "--rate", ""], {})).toThrow("--rate");
  });
});

describe("choices", () => {
  it("reach every behaviour and leave out those without weight", () => {
    const all = new Set(Array.from({ length: 1000 }, (_, index) => chooseBehaviour(DEFAULT_WEIGHTS, index / 1000)));
    expect(all).toEqual(new Set(BEHAVIOUR_NAMES));
    const none = { ...DEFAULT_WEIGHTS, hurry: 0 };
    expect(Array.from({ length: 1000 }, (_, index) => chooseBehaviour(none, index / 1000))).not.toContain("hurry");
  });

  it("draw amounts that the sandbox does not decline", () => {
    for (const name of ["till-web", "billing-cron", "someone-else"]) {
      const amounts = Array.from({ length: 500 }, () => drawAmount(trafficProfile(name), Math.random));
      expect(amounts.every((minor) => Number.isSafeInteger(minor) && minor > 0 && minor % 100 !== 51)).toBe(true);
    }
  });
});
