import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createDatabase, type Database } from "@/db/client";
import { migrate } from "@/db/migrate";
import { PAYMENTS_TABLES } from "@/payments/tables";
import { startBenchChild, type BenchChild } from "./children";
import { ownDatabase, benchServerUrl } from "./database";
import { grantToServices } from "./once";

export const BENCH_TENANT = "bench";
export const CLIENT = "bench-client";
/** A key is limited to 2,000 calls a second, so the load is spread over several of one client. */
export const API_KEYS = 16;

/** Where everything runs: a database of its own, an instant provider, the hosts. */
export interface BenchEnvironment {
  readonly url: string;
  readonly db: Database;
  readonly version: string;
  readonly apiKeys: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly sandboxPort: number;
  readonly hosts: readonly BenchHost[];
  /** Why a host is missing. */
  readonly remarks: readonly string[];
  close(): Promise<void>;
}

export interface BenchHost {
  readonly name: "hono" | "next" | "plain" | "once" | "bare";
  readonly port: number;
  readonly pid: number;
}

export const TSX = ["--import", "tsx"];

export async function openBenchEnvironment(firstPort: number, wanted: readonly string[]): Promise<BenchEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-bench-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const server = await benchServerUrl(dataDir, closers);
    const { url, drop } = await ownDatabase(server);
    closers.push(drop);
    await migrate(url, { modules: [PAYMENTS_TABLES] });
    await grantToServices(url);
    const db = createDatabase({ url, max: 8, applicationName: "bench" });
    closers.push(() => db.close());
    const apiKeys: string[] = [];
    for (let index = 0; index < API_KEYS; index += 1) {
      const { key } = await createApiKey(db, { tenant: BENCH_TENANT, name: CLIENT, scopes: ["payments", "accounts"] });
      apiKeys.push(key);
    }
    const { rows } = await db.pool.query<{ server_version: string }>({ text: "show server_version" });
    const env = hostEnvironment(url, dataDir, firstPort);
    const { hosts, remarks } = await startProcesses(env, firstPort, wanted, (child) =>
      closers.push(() => child.stop()),
    );
    return {
      url,
      db,
      version: rows[0]?.server_version ?? "",
      apiKeys,
      env,
      sandboxPort: firstPort + 3,
      hosts,
      remarks,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Of a process of ours. */
export function hostEnvironment(url: string, dataDir: string, firstPort: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    SANDBOX_PORT: String(firstPort + 3),
    LOG_LEVEL: "silent",
    NO_COLOR: "1",
  };
}

async function startProcesses(
  env: NodeJS.ProcessEnv,
  firstPort: number,
  wanted: readonly string[],
  keep: (child: BenchChild) => void,
): Promise<{ hosts: BenchHost[]; remarks: string[] }> {
  const hosts: BenchHost[] = [];
  const remarks: string[] = [];
  const startHost = async (name: BenchHost["name"], offset: number, args: readonly string[], ready: RegExp) => {
    const port = firstPort + offset;
    const own = { ...env, PORT: String(port), PUBLIC_URL: `http://localhost:${String(port)}` };
    const child = await startBenchChild(args, own, ready);
    keep(child);
    hosts.push({ name, port, pid: child.pid });
  };
  const wants = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  keep(await startBenchChild([...TSX, "payments/sandbox/main.ts"], env, /sandbox provider on/));
  const profile = process.env["BENCH_CPU_PROF"];
  const profiled = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];
  for (const [offset, name, script] of [
    [0, "hono", "cli/api.ts"],
    [1, "plain", "tests/bench/plain-server.ts"],
    [4, "once", "tests/bench/once-service.ts"],
    [5, "bare", "tests/bench/bare-server.ts"],
  ] as const) {
    if (!wants(name)) continue;
    await startHost(name, offset, [...profiled, ...TSX, script], / ready on /);
  }
  const build = process.env["NEXT_DIST_DIR"] ?? ".next";
  if (!wants("next")) return { hosts, remarks };
  if (!existsSync(join(build, "BUILD_ID"))) {
    remarks.push("Next host: not measured, there is no build (npm run build).");
    return { hosts, remarks };
  }
  try {
    const port = String(firstPort + 2);
    await startHost("next", 2, ["node_modules/next/dist/bin/next", "start", "-p", port], /Ready in/);
  } catch (error) {
    remarks.push(`Next host: not measured. ${error instanceof Error ? error.message.slice(0, 300) : ""}`);
  }
  return { hosts, remarks };
}
