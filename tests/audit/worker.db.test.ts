import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inTransaction } from "@/db/transaction";
import { audit } from "@/engine/actions/audit";
import { useAuditKey } from "@/engine/audit/signer";
import { makeKeyPair, signingKeyOf } from "@/engine/audit/signing-key";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { startWorker, type Worker } from "@/worker/main";

const WITHIN = { timeout: 20_000, interval: 50 };
const key = signingKeyOf(makeKeyPair().privatePem, "of this test");
let env: TestEnvironment;
let directory: string;
let workers: readonly Worker[] = [];
beforeAll(async () => {
  env = await createTestEnvironment();
  directory = await mkdtemp(join(tmpdir(), "onceboard-worker-"));
  useAuditKey(key);
  workers = ["one", "two"].map((name) => {
    const config = {
      ...{
        port: 1,
        publicUrl: "http://127.0.0.1:1",
        workerIntervalMs: 50,
        natsUrl: undefined,
        rabbitmqUrl: undefined,
        kafkaUrl: undefined,
      },
      ...{ outboxTransport: "http" as const, webhookAllowPrivate: false, auditCheckpointSeconds: 300 },
      auditSinks: [`file:${join(directory, `${name}.ndjson`)}`],
    };
    const auditKeys = { key, known: new Map([[key.id, key.publicKey]]) };
    return startWorker({ engine: { ...env.context({ instance: name }), auditKeys }, modules: env.modules, config });
  });
});
afterAll(async () => {
  useAuditKey(undefined);
  await Promise.all(workers.map((worker) => worker.stop()));
  await rm(directory, { recursive: true, force: true });
  await env.close();
});

const lines = async (name: string): Promise<readonly string[]> =>
  (await readFile(join(directory, `${name}.ndjson`), "utf8").catch(() => "")).split("\n");
const covers = (of: readonly string[], sequence: string): boolean =>
  of.some((line) => line.includes('"chain":"acme"') && line.includes(`"sequence":"${sequence}"`));

it("AUDIT-3 two workers bring a dangerous act out of the database, each to its own file, and say when the chain is cut", async () => {
  await inTransaction(env.db, (tx) =>
    audit(env.context(), tx, { action: "operations.resolve", subject: { type: "operation", id: "x" }, reason: "why" }),
  );
  for (const name of ["one", "two"]) await expect.poll(async () => covers(await lines(name), "1"), WITHIN).toBe(true);
  const broken = () =>
    env.rows("select chain, broken_at, reason from onceboard.audit_chain_checks where broken_at is not null");
  expect(await broken()).toEqual([]);
  await env.rows("delete from onceboard.audit_entries");
  await env.rows("delete from onceboard.audit_heads");
  await expect.poll(broken, WITHIN).toEqual([{ chain: "acme", broken_at: 1n, reason: "the end of the chain was cut" }]);
  const beats = await env.rows<{ loop: string }>(
    "select distinct loop from onceboard.worker_heartbeats where loop in ('checkpoints', 'audit check') and error is null order by 1",
  );
  expect(beats.map(({ loop }) => loop)).toEqual(["audit check", "checkpoints"]);
});
