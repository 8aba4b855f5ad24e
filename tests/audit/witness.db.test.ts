import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectSinks } from "@/db/audit/checkpoints";
import { createTestDatabase } from "@/db/testing/test-database";
import { DANGEROUS_ACTIONS } from "@/domain/access/dangerous";
import { ACTIONS, needsConfirmation } from "@/domain/access/permission";
import { makeKeyPair, signingKeyOf } from "@/engine/audit/signing-key";
import { createFileSink } from "@/engine/audit/sinks/file-sink";
import { createLogSink } from "@/engine/audit/sinks/log-sink";
import { openSinks } from "@/engine/audit/sinks/open-sinks";
import { createPutSink } from "@/engine/audit/sinks/put-sink";
import type { CheckpointSink } from "@/engine/audit/sinks/sink";
import { createWitness } from "@/engine/audit/witness";
import { createLog } from "@/engine/telemetry/log";
import { ACCESS, openChains, type KeptChains } from "./kept-chains";

const log = createLog("silent");
let ledger: KeptChains;
beforeAll(async () => {
  ledger = await openChains();
});
afterAll(() => ledger.close());

const linesOf = async (file: string): Promise<string[]> =>
  (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
/** A witness with these places, whose clocks are the test's. */
function witnessWith(
  sinks: readonly CheckpointSink[],
  more: { clock?: () => number; everyMs?: number; now?: () => Date } = {},
) {
  const { key } = ledger;
  return createWitness({
    ...{ db: ledger.test.db.pool, key, keys: new Map([[key.id, key.publicKey]]), sinks, log, everyMs: 300_000 },
    ...more,
  });
}

describe("AUDIT-3 when checkpoints are made", () => {
  it("every chain has one at once, then each interval, and after each dangerous act", async () => {
    let ms = 0;
    const witness = witnessWith([createFileSink(ledger.file)], { clock: () => ms });
    // The tenant's chain is empty yet, and so is the access log: that is worth a checkpoint too.
    expect(await witness.turn()).toMatchObject({ chains: 2, made: 2, sent: 2 });
    await ledger.write("acme", 2);
    expect(await witness.turn()).toMatchObject({ made: 0, sent: 0 });
    ms += 299_000;
    expect(await witness.turn()).toMatchObject({ made: 0 });
    ms += 1_000;
    expect(await witness.turn()).toMatchObject({ made: 1, sent: 1 });
    await ledger.write("acme", 1);
    expect(await witness.turn()).toMatchObject({ made: 0 });
    await ledger.write("acme", 1, "operations.resolve");
    expect(await witness.turn()).toMatchObject({ made: 1, sent: 1 });
    expect(await witness.newest("acme")).toMatchObject({ sequence: 4n, entries: 4n, signedFrom: 1n });
    expect(await linesOf(ledger.file)).toHaveLength(4);
  });

  it("what asks for a step-up is dangerous, and so are decisions of a second person", () => {
    expect(ACTIONS.filter(needsConfirmation).filter((action) => !DANGEROUS_ACTIONS.includes(action))).toEqual([]);
    expect(DANGEROUS_ACTIONS).toContain("plans.decide");
    expect(DANGEROUS_ACTIONS).not.toContain("operations.reconcile");
  });

  it("two processes at once make checkpoints that both hold, while entries are written", async () => {
    const [one, other] = [ledger.witness(), ledger.witness()];
    for (let round = 0; round < 10; round += 1) {
      const writing = ledger.write("acme", 3);
      const turns = await Promise.all([one.turn({ always: true }), other.turn({ always: true }), one.check(10_000)]);
      expect(turns.map(({ broken }) => broken)).toEqual([0, 0, 0]);
      await writing;
    }
    const last = ledger.witness();
    expect([await last.turn({ always: true }), await last.check(10_000)]).toMatchObject([{ broken: 0 }, { broken: 0 }]);
  });

  it("a clock that is an hour off raises no alarm, and neither does one that was set back", async () => {
    const hour = 3_600_000;
    for (const off of [hour, -hour, 0]) {
      await ledger.write("acme", 1);
      const witness = witnessWith([createFileSink(ledger.file)], { now: () => new Date(Date.now() + off) });
      expect(await witness.turn({ always: true })).toMatchObject({ made: 1, broken: 0 });
      expect(await witness.check(10_000)).toMatchObject({ broken: 0 });
    }
  });

  it("a key may be changed for another: entries and checkpoints of both hold for whoever knows both", async () => {
    const second = signingKeyOf(makeKeyPair().privatePem, "another");
    const both = ledger.witness({ keys: [second, ledger.key] });
    await ledger.write("acme", 1);
    expect(await both.turn({ always: true })).toMatchObject({ made: 1, broken: 0 });
    expect((await both.newest("acme"))?.keyId).toBe(second.id);
    const next = ledger.witness({ keys: [second, ledger.key] });
    expect(await next.check(10_000)).toMatchObject({ broken: 0 });
  });

  it("a check goes on where its time ended, and finds what is at the end", async () => {
    let ms = 0;
    const witness = witnessWith([], { clock: () => (ms += 1) });
    const turns = [];
    for (let turn = 0; turn < 10 && (turns.at(-1)?.waiting ?? 1) > 0; turn += 1) turns.push(await witness.check(0));
    expect(turns.length).toBeGreaterThan(1);
    expect(turns.reduce((sum, { checked }) => sum + checked, 0)).toBe(2);
  });
});

describe("AUDIT-3 where checkpoints go", () => {
  const rowOf = async (name: string) => (await selectSinks(ledger.test.db.pool)).find((row) => row.name === name);

  it("a place that fails is seen, is tried again, and gets everything once it is back", async () => {
    const later = join(dirname(ledger.file), "not-yet", "checkpoints.ndjson");
    const sink = createFileSink(later);
    let ms = 0;
    const witness = witnessWith([sink], { clock: () => ms });
    await ledger.write("acme", 1);
    expect(await witness.turn({ always: true })).toMatchObject({ made: 1, sent: 0, failing: 1 });
    expect(await rowOf(sink.name)).toMatchObject({ error: expect.stringContaining("ENOENT") as string });
    expect((await rowOf(sink.name))?.failingSince).toBeInstanceOf(Date);
    await mkdir(dirname(later));
    // Not at once: a place that is away is not hammered.
    expect(await witness.turn()).toMatchObject({ sent: 0, failing: 1 });
    ms += 1_000;
    const stored = await ledger.rows<{ line: string }>(
      "select line from onceboard.audit_checkpoints where line::json ->> 'keyId' = $1 order by number",
      ledger.key.id,
    );
    expect(await witness.turn()).toMatchObject({ sent: stored.length, failing: 0 });
    expect(await linesOf(later)).toEqual(stored.map(({ line }) => line));
    expect(await rowOf(sink.name)).toMatchObject({ failingSince: null, error: null, behind: 0 });
  });

  it("what a process made is sent although its row was deleted or marked as sent", async () => {
    const file = join(dirname(ledger.file), "own.ndjson");
    await mkdir(file);
    let ms = 0;
    const witness = witnessWith([createFileSink(file)], { clock: () => ms });
    await ledger.write("acme", 1);
    expect(await witness.turn({ always: true })).toMatchObject({ made: 1, failing: 1 });
    const newest = await witness.newest("acme");
    await ledger.run("truncate onceboard.audit_checkpoints");
    await ledger.run("update onceboard.audit_sinks set delivered = 1000000");
    await rm(file, { recursive: true });
    ms += 1_000;
    expect(await witness.turn()).toMatchObject({ failing: 0 });
    expect(await linesOf(file)).toContain(newest?.line);
  });

  it("a file that a process left half a line in goes on with a new one, and only its owner reads it", async () => {
    const file = join(dirname(ledger.file), "torn.ndjson");
    await writeFile(file, '{"half":', { mode: 0o600 });
    const sink = createFileSink(file);
    await sink.append(["one", "two"]);
    await sink.append(["three"]);
    expect(await linesOf(file)).toEqual(['{"half":', "one", "two", "three"]);
    await chmod(file, 0o400);
    expect(await sink.read?.()).toHaveLength(4);
  });

  it("an object store or a collector gets each by PUT with its token, again after a refusal, under one name", async () => {
    const got = new Map<string, string>();
    let refuse = true;
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const allowed = request.method === "PUT" && request.headers.authorization === "Bearer letmein";
        if (!refuse && allowed) got.set(request.url ?? "", body);
        response.writeHead(refuse ? 503 : allowed ? 200 : 403).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const sink = createPutSink(`http://127.0.0.1:${String(port)}/bucket/audit?x=1`, "letmein");
      expect(sink.name).toBe(`put:http://127.0.0.1:${String(port)}/bucket/audit`);
      let ms = 0;
      const witness = witnessWith([sink], { clock: () => ms });
      await ledger.write(ACCESS, 1);
      expect(await witness.turn({ always: true })).toMatchObject({ failing: 1 });
      expect(await rowOf(sink.name)).toMatchObject({ error: "answered 503" });
      [refuse, ms] = [false, 1_000];
      const { sent } = await witness.turn();
      expect(got.size).toBe(sent);
      const newest = await witness.newest(ACCESS);
      expect([...got.values()]).toContain(`${newest?.line ?? ""}\n`);
      expect([...got.keys()][0]).toMatch(/^\/bucket\/audit\/(acme|%40access)\/\d{12}-[0-9a-f]{16}\.json\?x=1$/);
      await sink.append([newest?.line ?? ""]);
      expect(got.size).toBe(sent);
    } finally {
      server.close();
    }
  });

  it("another PostgreSQL keeps them, and a process that starts anew reads them back from there", async () => {
    const elsewhere = await createTestDatabase();
    const [sink] = openSinks([elsewhere.ownerUrl]);
    if (sink === undefined) throw new Error("no sink");
    try {
      expect(sink.name).not.toContain(new URL(elsewhere.ownerUrl).password || "//");
      await witnessWith([sink]).turn({ always: true });
      const before = await witnessWith([]).newest("acme");
      await ledger.run("truncate onceboard.audit_checkpoints, onceboard.audit_sinks");
      await ledger.run("delete from onceboard.audit_entries where tenant_id = 'acme'");
      await ledger.run("delete from onceboard.audit_heads where tenant_id = 'acme'");
      const anew = witnessWith([sink]);
      expect(await anew.turn()).toMatchObject({ broken: 1 });
      expect((await anew.newest("acme"))?.line).toBe(before?.line);
      // Without any place it would not know: an empty chain, of which nothing is said.
      expect(await witnessWith([]).turn()).toMatchObject({ broken: 0 });
    } finally {
      await sink.close();
      await elsewhere.drop();
    }
  });

  it("standard output gets them as lines", async () => {
    const out: string[] = [];
    await createLogSink((text) => void out.push(text)).append(["one", "two"]);
    expect(out).toEqual(["one\n", "two\n"]);
  });
});
