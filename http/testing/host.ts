import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createDatabase, type Database } from "@/db/client";
import { startRelay, type Relay } from "@/db/testing/relay";
import { createTestDatabase } from "@/db/testing/test-database";
import { parseConfig } from "@/domain/config";
import type { WireProfile } from "@/domain/access/permission";
import { createLog } from "@/engine/telemetry/log";
import type { ConfigSource } from "@/engine/module/config";
import source from "@/onceboard.config";
import { startSandbox } from "@/tests/support/providers";
import { createHttpApp } from "../app";
import { createContainer, type Container } from "../container";
import type { RateLimits } from "../guard/rate-limit";
import { type CheckedAnswer, type CheckedCall, checkAnswer } from "./contract";

/**
 * The hosts that the suite runs against. `hono` and `mounted` are made here, on a free port: as cli/ hosts the app, and as
 * Next does, with a request and nothing else. `next` is a server of a real build, see http/testing/on-next.ts; it is found by
 * NEXT_TEST_BASE_URL, NEXT_TEST_DATABASE_URL, NEXT_TEST_SANDBOX_URL and NEXT_TEST_SECRET.
 */
export const HOSTS: readonly HostName[] = process.env["NEXT_TEST_BASE_URL"]
  ? ["hono", "mounted", "next"]
  : ["hono", "mounted"];
export type HostName = "hono" | "mounted" | "next";

const BIND = "127.0.0.1";
/** Also of a served build (on-next.ts). A call of the metrics has it unless the test says otherwise. */
export const METRICS_TOKEN = "token-of-the-metrics";
/** A slow provider must not hold a test up, and a test's `slow_ms` must fit below it. */
const PROVIDER_TIMEOUT_MS = "1500";

export interface TestHost {
  readonly name: HostName;
  readonly url: string;
  readonly secret: string;
  /** Only in process. */
  readonly encryptionKeys: string;
  /** The test's own, as the owner of the tables; what is under test has its own pool. */
  readonly db: Database;
  /** Of its database, as a superuser. */
  readonly ownerUrl: string;
  /** Of this suite alone, also on a shared server. */
  readonly tenant: string;
  readonly otherTenant: string;
  /** Only in process. */
  readonly deps: Container | undefined;
  call(call: CheckedCall): Promise<CheckedAnswer>;
  /** @returns a new API key */
  key(
    scopes: readonly string[],
    options?: { readonly tenant?: string; readonly name?: string; readonly profile?: WireProfile },
  ): Promise<string>;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  faults(rates: Readonly<Record<string, number>>): Promise<void>;
  /** What the provider really did, for every tenant. */
  providerLedger(): Promise<readonly { readonly providerKey: string }[]>;
  /** From now on the app's database refuses it, while the test's own connections stay. Only of a relayed host. */
  cutDatabase(): Promise<void>;
  /** The way to the app's database. Only of a relayed host. */
  readonly relay: Relay | undefined;
  close(): Promise<void>;
}

interface Parts {
  readonly url: string;
  readonly secret: string;
  readonly encryptionKeys?: string;
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly deps?: Container;
  readonly relay?: Relay | undefined;
  close(): Promise<void>;
}

/** Of hosts in process. */
export interface HostOptions {
  /** Other rate limits. */
  readonly limits?: Partial<RateLimits>;
  /** The app reaches its database through a relay, which `cutDatabase()` ends. */
  readonly relayed?: boolean;
  /** What it runs; the configuration of this repository when left out. */
  readonly config?: ConfigSource;
  /** Address of a database server of the test's own. */
  readonly server?: string;
  /** Port of a standby of that server, which pages are read from. */
  readonly replicaPort?: number;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the log lines of every level go. */
  readonly lines?: { write(line: string): void };
}

export async function openHost(name: HostName, options: HostOptions = {}): Promise<TestHost> {
  const parts = name === "next" ? openServed() : await openInProcess(name, options);
  const db = createDatabase({ url: parts.databaseUrl, max: 4, applicationName: "http test", role: "owner" });
  const suffix = randomBytes(4).toString("hex");
  const tenant = `acme-${suffix}`;
  const rows = async <R>(text: string, ...values: unknown[]) =>
    (await db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
  return {
    name,
    url: parts.url,
    secret: parts.secret,
    encryptionKeys: parts.encryptionKeys ?? "",
    db,
    ownerUrl: parts.databaseUrl,
    tenant,
    otherTenant: `globex-${suffix}`,
    deps: parts.deps,
    async call(call) {
      const answer = await send(parts.url, call);
      checkAnswer(call, answer);
      return answer;
    },
    async key(scopes, { tenant: of = tenant, name: client = "till", profile } = {}) {
      return (await createApiKey(db, { tenant: of, name: client, scopes, profile })).key;
    },
    rows,
    async faults(rates) {
      const answer = await send(parts.sandboxUrl, {
        method: "POST",
        path: "/_control/faults",
        headers: [["content-type", "application/json"]],
        body: JSON.stringify(rates),
      });
      if (answer.status >= 300) throw new Error(`the sandbox refused the faults: ${answer.text}`);
    },
    async providerLedger() {
      const { json } = await send(parts.sandboxUrl, { path: "/_control/ledger" });
      return json?.["entries"] as readonly { readonly providerKey: string }[];
    },
    async cutDatabase() {
      if (parts.relay === undefined) throw new Error("only a relayed host can lose its database");
      await parts.relay.cut();
    },
    relay: parts.relay,
    async close() {
      await db.close();
      await parts.close();
    },
  };
}

async function openInProcess(name: HostName, options: HostOptions): Promise<Parts> {
  const test = await createTestDatabase(options.server === undefined ? {} : { server: options.server });
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-http-"));
  const sandbox = await startSandbox({ port: 0, dataDir });
  const secret = randomBytes(32).toString("base64url");
  const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
  const databaseUrl = new URL(test.url);
  const relay = options.relayed === true ? await startRelay(databaseUrl.hostname, Number(databaseUrl.port)) : undefined;
  if (relay !== undefined) databaseUrl.host = `${BIND}:${String(relay.port)}`;
  const config = parseConfig({
    DATABASE_URL: databaseUrl.href,
    SECRET: secret,
    ENCRYPTION_KEYS: encryptionKeys,
    SANDBOX_PORT: String(sandbox.port),
    PROVIDER_TIMEOUT_MS,
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "silent",
    METRICS_TOKEN,
    ...(options.replicaPort !== undefined && { DATABASE_URL_READ: onPort(test.url, options.replicaPort) }),
    ...options.env,
  });
  const { lines } = options;
  const log = lines && createLog("debug", { process: "test" }, { secret, destination: lines });
  const deps = await createContainer(config, "test", options.config ?? source, log && { log });
  const app = createHttpApp({ ...deps, limits: options.limits });
  const listener = getRequestListener(name === "hono" ? app.fetch : (request) => app.fetch(request));
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, BIND, resolve));
  return {
    url: `http://${BIND}:${String((server.address() as AddressInfo).port)}`,
    secret,
    encryptionKeys,
    databaseUrl: test.ownerUrl,
    sandboxUrl: sandbox.url,
    deps,
    relay,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await deps.close();
      await relay?.cut();
      await sandbox.close();
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function onPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}

function openServed(): Parts {
  const needed = (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === "") throw new Error(`${name} is needed beside NEXT_TEST_BASE_URL`);
    return value;
  };
  return {
    url: needed("NEXT_TEST_BASE_URL"),
    secret: needed("NEXT_TEST_SECRET"),
    databaseUrl: needed("NEXT_TEST_DATABASE_URL"),
    sandboxUrl: needed("NEXT_TEST_SANDBOX_URL"),
    close: () => Promise.resolve(),
  };
}

/** Node's own client: fetch would join two header lines before they leave. */
function send(base: string, { method = "GET", path, headers = [], body }: CheckedCall): Promise<CheckedAnswer> {
  const url = new URL(path, base);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const lines = [["host", url.host], ...headers];
  if (url.pathname.endsWith("/api/metrics") && headers.length === 0)
    lines.push(["authorization", `Bearer ${METRICS_TOKEN}`]);
  if (bytes !== undefined && !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))) {
    lines.push(["content-length", String(bytes.length)]);
  }
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers: lines.flat(), agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const all = Buffer.concat(chunks);
        const text = all.toString("utf8");
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: all, text, json: parse(text) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
