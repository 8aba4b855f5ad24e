import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { upsertOperator } from "@/auth/operators";
import { createLibrary } from "@/auth/sign-in/library";
import { copyFor } from "@/cli/startup/console-build";
import { ROOT } from "@/cli/startup/installation";
import { freePort } from "@/cli/startup/listen";
import { createTestDatabase, prepareTestServer } from "@/db/testing/test-database";
import { startTestServer } from "@/db/testing/test-server";
import { startSandbox } from "@/tests/support/providers";
import { startSharedHost, type SharedHost } from "./shared-host";

export const BASE = "/ops/onceboard";
export const PERSON = { email: "operator@example.com", password: "correct horse battery staple" } as const;
/** Made by `scripts/build.mjs --any-base-path`. */
const TEMPLATE = ".next-base";
const SETTINGS = {
  NODE_ENV: "production",
  BASE_PATH: BASE,
  ENCRYPTION_KEYS: `below:${randomBytes(32).toString("base64")}`,
  PROVIDER_TIMEOUT_MS: "1000",
  WORKER_INTERVAL_MS: "200",
  LOG_LEVEL: "warn",
} as const;
const READY_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 20_000;

type CallArguments = readonly [
  method: "GET" | "POST",
  path: string,
  options?: { readonly body?: unknown; readonly key?: string },
];

export interface BelowStack {
  readonly host: SharedHost;
  /** Of the server itself, without the host in front of it. */
  readonly direct: string;
  /** Asks the API through the shared host. @param path inside */
  call(...asked: CallArguments): Promise<Response>;
  /** A plain Next server of the same build and deployment. @returns its origin; it ends with the stack */
  startNext(): Promise<string>;
  /** Key of a client. */
  readonly key: string;
  faults(rates: Readonly<Record<string, number>>): Promise<void>;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** Console, API, worker and sandbox below a base path of a shared host, with the console that the package makes for it. */
export async function startBelow(): Promise<BelowStack> {
  // Next takes a build of the repository from inside of it only.
  const copies = join(ROOT, ".onceboard");
  mkdirSync(copies, { recursive: true });
  const dataDir = mkdtempSync(join(copies, "below-"));
  const server = await startTestServer();
  await prepareTestServer(server.url);
  const database = await createTestDatabase({ server: server.url });
  const port = await freePort();
  const host = await startSharedHost(BASE, port);
  const sandbox = await startSandbox({ port: 0, dataDir });
  const build = join(copyFor(BASE, { template: join(ROOT, TEMPLATE), dataDir, root: ROOT }), ".next");
  const secret = randomBytes(32).toString("hex");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...SETTINGS,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: host.origin,
    SANDBOX_PORT: String(sandbox.port),
    SECRET: secret,
    NEXT_DIST_DIR: relative(ROOT, build),
  };
  const children = ["serve", "worker"].map((name) =>
    spawn(process.execPath, ["--import", "tsx", `cli/${name}.ts`], { env, stdio: ["ignore", "pipe", "inherit"] }),
  );
  const close = async (): Promise<void> => {
    await Promise.all(children.map((child) => ended(child)));
    await host.close();
    await sandbox.close();
    await database.drop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await Promise.all(children.map((child) => ready(child)));
    const { db } = database;
    const { key } = await createApiKey(db, { tenant: "acme", name: "till", scopes: ["payments", "accounts"] });
    const library = createLibrary({ db, secret, publicUrl: host.origin + BASE });
    await upsertOperator(db, { library }, { ...PERSON, role: "operator", name: "Mira Okafor" });
    return {
      host,
      direct: `http://localhost:${String(port)}`,
      call: (...asked) => call(host.origin + BASE, key, ...asked),
      key,
      async startNext() {
        const nextPort = await freePort();
        const args = ["node_modules/next/dist/bin/next", "start", "-p", String(nextPort)];
        const next = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
        children.push(next);
        await ready(next);
        return `http://localhost:${String(nextPort)}`;
      },
      async faults(rates) {
        await fetch(`${sandbox.url}/_control/faults`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(rates),
        });
      },
      rows: async <R>(text: string, ...values: unknown[]) =>
        (await db.pool.query<R & Record<string, unknown>>({ text, values })).rows,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As {@link BelowStack.call}. */
function call(address: string, apiKey: string, ...[method, path, options = {}]: CallArguments): Promise<Response> {
  const { body, key = randomUUID() } = options;
  const json = { "content-type": "application/json", "idempotency-key": key };
  return fetch(address + path, {
    method,
    redirect: "manual",
    headers: { authorization: `Bearer ${apiKey}`, ...(body !== undefined && json) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("not ready in time")), READY_LIMIT_MS);
    child.once("exit", (code) => reject(new Error(`ended with ${String(code)}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      if (!/\bready\b/i.test(chunk.toString())) return;
      clearTimeout(late);
      resolve();
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  const limit = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  child.kill("SIGTERM");
  await exit;
  clearTimeout(limit);
}
