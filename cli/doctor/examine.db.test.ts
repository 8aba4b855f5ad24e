import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { serverFacts } from "@/db/health/server-facts";
import type { Environment } from "@/domain/config";
import { readSigningKey } from "@/engine/audit/signing-key";
import { writeKeyPair } from "../startup/audit-dir";
import { examine, examineNode } from "./examine";
import { OWNER_NOTE } from "@/engine/guard-note";
import { freePort } from "../startup/listen";

const SECRET = randomBytes(32).toString("base64url");
const KEY = randomBytes(32).toString("base64");

let test: TestDatabase;
let env: Environment;
const servers: Server[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  const port = String(await freePort());
  env = { DATABASE_URL: test.url, SECRET, ENCRYPTION_KEYS: `k1:${KEY}`, PORT: port };
});
afterAll(async () => {
  for (const server of servers) server.close();
  await test.drop();
});

const wrongOf = async (given: Environment): Promise<string[]> =>
  (await examine(given)).filter(({ state }) => state === "wrong").map(({ text }) => text);

async function listening(answer: string): Promise<string> {
  const server = createServer((_request, response) => response.end(answer));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return String((server.address() as AddressInfo).port);
}

describe("onceboard doctor", () => {
  it("finds nothing wrong where processes can run, and says when no worker does", async () => {
    expect(await wrongOf(env)).toEqual([]);
    expect(await examine(env)).toContainEqual({
      state: "note",
      text: "No worker is running: npm run -s worker starts one",
    });
    await test.db.pool.query({
      text: "insert into onceboard.worker_heartbeats (loop, instance, at, interval_ms) values ('relay', 'test', clock_timestamp(), 1000)",
    });
    expect(await examine(env)).toContainEqual({ state: "ok", text: "A worker is running" });
  });

  it("AUDIT-3 says whether the audit is signed, what does not reach its place, and which chain is broken", async () => {
    const said = async (more: Environment = {}) => (await examine({ ...env, ...more })).map(({ text }) => text);
    expect(await said()).toContain("No key signs the audit: who owns the database can rewrite it unseen");
    const directory = mkdtempSync(join(tmpdir(), "onceboard-doctor-"));
    const [file, publicFile] = [join(directory, "key.pem"), join(directory, "public.pem")];
    writeKeyPair(file, publicFile);
    const { id } = readSigningKey(file);
    expect(await said({ AUDIT_KEY_FILE: file, AUDIT_SINKS: "log" })).toContain(`The audit is signed by key ${id}`);
    chmodSync(file, 0o644);
    expect(await wrongOf({ ...env, AUDIT_KEY_FILE: file })).toEqual([
      `AUDIT_KEY_FILE ${file} can be opened by others: chmod 600 it.`,
    ]);
    rmSync(directory, { recursive: true });
    await test.db.pool.query({
      text: `insert into onceboard.audit_sinks values ('put:https://logs.example', 0, now(), now(), 'answered 503');
        insert into onceboard.audit_chain_checks values ('acme', now(), 4, 5, 'the end of the chain was cut')`,
    });
    expect(await wrongOf(env)).toEqual([
      "The audit chain acme is broken at #5: the end of the chain was cut",
      "Checkpoints do not reach put:https://logs.example (answered 503): 0 wait for it",
    ]);
    await test.db.pool.query({ text: "truncate onceboard.audit_sinks, onceboard.audit_chain_checks" });
  });

  it("RUN-9 says whether the login of the processes owns the tables", async () => {
    const noted = async (url: string) =>
      (await examine({ ...env, DATABASE_URL: url })).filter(({ text }) => /login/i.test(text));
    expect(await noted(test.url)).toEqual([{ state: "ok", text: "The login of the processes owns nothing" }]);
    expect(await noted(test.ownerUrl)).toEqual([{ state: "note", text: OWNER_NOTE }]);
  });

  it("names each variable that is missing, and one that is no good", async () => {
    expect(await wrongOf({ PORT: env["PORT"] })).toEqual([
      "SECRET is missing",
      "ENCRYPTION_KEYS is missing",
      "DATABASE_URL is missing: only start brings a database of its own",
    ]);
    expect(await wrongOf({ ...env, SECRET: "short" })).toEqual([
      "The environment is not usable: SECRET must have at least 32 characters.",
    ]);
  });

  it("says nothing secret, even of an address that does not answer", async () => {
    const away = `postgres://someone:hunter22@127.0.0.1:${String(await freePort())}/onceboard`;
    const text = [...(await examine(env)), ...(await examine({ ...env, DATABASE_URL: away }))]
      .map((finding) => finding.text)
      .join("\n");
    expect(text).toMatch(/The database of DATABASE_URL \(127\.0\.0\.1:\d+\/onceboard\) cannot be used/);
    for (const secret of ["hunter22", SECRET, KEY]) expect(text).not.toContain(secret);
  });

  it("says whether the key store answers, and what is wrong with it", async () => {
    const keys = mkdtempSync(join(tmpdir(), "onceboard-keys-"));
    try {
      const file = { ...env, KEY_STORE: "file", KEY_STORE_DIR: join(keys, "store") };
      expect((await examine(file)).map(({ text }) => text).join("\n")).toMatch(
        /The key store answers: file:[0-9a-f-]{36}/,
      );
      chmodSync(join(keys, "store"), 0o755);
      expect(await wrongOf(file)).toEqual([
        `The key store does not work: ${join(keys, "store")} is open to others: chmod 700 ${join(keys, "store")}`,
      ]);
      const away = `postgres://someone:hunter22@127.0.0.1:${String(await freePort())}/keys`;
      const [problem = ""] = await wrongOf({ ...env, KEY_STORE: "postgres", KEY_STORE_URL: away });
      expect(problem).toBe("The key store does not work: the key store's database did not answer");
      expect((await examine(env)).map(({ text }) => text).join("\n")).toContain("There is no key store");
    } finally {
      rmSync(keys, { recursive: true });
    }
  });

  it("knows a port that is taken from one that Onceboard answers on", async () => {
    const foreign = await listening("hello");
    expect(await wrongOf({ ...env, PORT: foreign })).toEqual([
      `Port ${foreign} is taken by another program: stop that one, or set PORT to a free port.`,
    ]);
    const ours = await listening('{"status":"live"}');
    expect(await examine({ ...env, PORT: ours })).toContainEqual({
      state: "ok",
      text: `Onceboard answers on port ${ours}`,
    });
  });

  it("says that a database without our tables must be migrated", async () => {
    await test.db.pool.query({ text: "alter table onceboard.migrations rename to moved" });
    expect(await wrongOf(env)).toEqual(["The database is older than this version: run npm run -s migrate"]);
    await test.db.pool.query({ text: "alter table onceboard.moved rename to migrations" });
  });

  it("measures the clock of the database against the middle of the question", async () => {
    const seconds = async (ahead: number) => (await serverFacts(test.db.pool, () => Date.now() - ahead)).clockAheadMs;
    expect(Math.abs(await seconds(0))).toBeLessThan(5_000);
    expect(await seconds(60_000)).toBeGreaterThan(55_000);
    expect(await seconds(-60_000)).toBeLessThan(-55_000);
  });

  it.each([
    ["20.19.0", "ok"],
    ["20.18.9", "wrong"],
    ["21.7.0", "wrong"],
    ["22.11.0", "wrong"],
    ["22.12.1", "ok"],
    ["23.0.0", "wrong"],
    ["24.0.0", "ok"],
    ["26.3.1", "ok"],
  ])("Node %s is %s", (version, state) => {
    expect(examineNode(version).state).toBe(state);
  });
});
