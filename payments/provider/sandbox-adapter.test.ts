import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../sandbox/server";
import type { ProviderQuestion, ProviderRequest } from "./port";
import { createSandboxProvider } from "./sandbox-adapter";

const request = (providerKey: string, amountMinor = 1000n): ProviderRequest => ({
  providerKey,
  amountMinor,
  currency: "EUR",
  accountId: "acc_1",
  metadata: { tenant: "acme" },
});
const about = (providerKey: string): ProviderQuestion => ({
  effect: "charge",
  request: request(providerKey),
  since: new Date(),
});
const PATIENT = { timeoutMs: 5_000 };
const HASTY = { timeoutMs: 150 };
const dataDir = mkdtempSync(join(tmpdir(), "adapter-"));
let sandbox: Sandbox;
let provider: ReturnType<typeof createSandboxProvider>;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, dataDir });
  provider = createSandboxProvider({ url: sandbox.url });
});
afterAll(async () => {
  provider.close();
  await sandbox.close();
  rmSync(dataDir, { recursive: true });
});
const faults = (body: unknown): Promise<unknown> =>
  fetch(`${sandbox.url}/_control/faults`, { method: "POST", body: JSON.stringify(body) });
afterEach(() => faults({}));

describe("the sandbox adapter", () => {
  it("charges, refunds, voids and looks up", async () => {
    const charged = await provider.charge(request("p1"), PATIENT);
    expect(charged).toMatchObject({ kind: "succeeded" });
    const chargeReference = charged.kind === "succeeded" ? charged.reference : "";
    expect(await provider.refund({ ...request("r1", 400n), chargeReference }, PATIENT)).toMatchObject({
      kind: "succeeded",
    });
    expect(await provider.void({ ...request("v1"), chargeReference }, PATIENT)).toMatchObject({ kind: "succeeded" });
    expect(await provider.charge(request("p51", 1051n), PATIENT)).toMatchObject({
      kind: "declined",
      code: "insufficient_funds",
    });
    expect(await provider.lookUp(about("p1"), PATIENT)).toEqual({
      kind: "found",
      status: "succeeded",
      reference: chargeReference,
      amountMinor: 1000n,
      currency: "EUR",
    });
    expect(await provider.lookUp(about("never"), PATIENT)).toEqual({ kind: "absent" });
    expect(await provider.charge(request("p1", 2000n), PATIENT)).toMatchObject({
      kind: "contradicting",
      reason: "the provider has another command under this key",
    });
  });

  it("PROVIDER-3 stands for the other kinds of provider too, and then cannot be asked", async () => {
    const mute = createSandboxProvider({ url: sandbox.url, as: "sandbox-neither" });
    expect(mute).toMatchObject({ name: "sandbox-neither", dedupesForHours: 0, queryable: false });
    await mute.charge(request("mute"), PATIENT);
    expect(await mute.lookUp(about("mute"), PATIENT)).toMatchObject({ kind: "unreachable" });
    mute.close();
  });

  it("does not know after silence, an error or garbage, and the look-up does", async () => {
    await faults({ timeout_after_accept: 1 });
    expect(await provider.charge(request("late"), HASTY)).toMatchObject({ kind: "indefinite" });
    await faults({ timeout_after_accept: 0, error_after_accept: 1 });
    expect(await provider.charge(request("e1"), PATIENT)).toMatchObject({ kind: "indefinite" });
    await faults({ error_after_accept: 0, garbage: 1 });
    expect(await provider.charge(request("g1"), PATIENT)).toMatchObject({ kind: "indefinite" });
    await faults({ garbage: 0, error_before: 1 });
    expect(await provider.charge(request("e2"), PATIENT)).toMatchObject({ kind: "indefinite" });
    for (const key of ["late", "e1", "g1"])
      expect(await provider.lookUp(about(key), PATIENT)).toMatchObject({ kind: "found" });
    expect(await provider.lookUp(about("e2"), PATIENT)).toEqual({ kind: "absent" });
    await faults({ rate_limit: 1 });
    expect(await provider.charge(request("l1"), PATIENT)).toMatchObject({
      kind: "no_effect",
      code: "rate_limited",
      retryAfter: 1,
    });
    await faults({ lookup_down: 1 });
    expect(await provider.lookUp(about("late"), PATIENT)).toMatchObject({ kind: "unreachable" });
  });

  it("knows that nothing happened without a connection or when it was stopped before", async () => {
    const nowhere = createSandboxProvider({ url: "http://127.0.0.1:9" });
    expect(await nowhere.charge(request("x"), PATIENT)).toMatchObject({ kind: "no_effect", code: "unavailable" });
    expect(await nowhere.lookUp(about("x"), PATIENT)).toMatchObject({ kind: "unreachable" });
    const unnamed = createSandboxProvider({ url: "http://no-such-host.invalid" });
    expect(await unnamed.charge(request("x"), PATIENT)).toMatchObject({ kind: "no_effect", code: "unavailable" });
    expect(await provider.charge(request("x"), { ...PATIENT, signal: AbortSignal.abort() })).toMatchObject({
      kind: "no_effect",
    });
    expect(await provider.lookUp(about("x"), PATIENT)).toEqual({ kind: "absent" });
  });

  it("does not know when the connection breaks after the request, also on a kept connection", async () => {
    await faults({ down: 1 });
    expect(await provider.charge(request("reset"), PATIENT)).toMatchObject({ kind: "indefinite" });
    const stop = new AbortController();
    await faults({ down: 0, timeout_after_accept: 1 });
    const pending = provider.charge(request("aborted"), { ...PATIENT, signal: stop.signal });
    await expect.poll(async () => (await provider.lookUp(about("aborted"), PATIENT)).kind).toBe("found");
    stop.abort();
    expect(await pending).toMatchObject({ kind: "indefinite" });
  });

  it("does not know when half an answer arrives", async () => {
    const sockets: Socket[] = [];
    const half = createServer((socket) => {
      sockets.push(socket);
      socket.once("data", () =>
        socket.write('HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"id":"ch_', () => socket.destroy()),
      );
    });
    await new Promise<void>((resolve) => half.listen(0, "127.0.0.1", resolve));
    const address = half.address();
    const cut = createSandboxProvider({
      url: `http://127.0.0.1:${String(typeof address === "object" && address ? address.port : 0)}`,
    });
    expect(await cut.charge(request("half"), PATIENT)).toMatchObject({ kind: "indefinite" });
    cut.close();
    for (const socket of sockets) socket.destroy();
    half.close();
  });
});
