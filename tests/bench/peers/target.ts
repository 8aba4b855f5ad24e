import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createDatabase } from "@/db/client";
import { migrate } from "@/db/migrate";
import { startBenchChild, type BenchChild } from "../children";
import { ownDatabase, runAsOwner } from "../database";
import { API_KEYS, BENCH_TENANT, CLIENT, hostEnvironment, TSX } from "../environment";
import { guestEnvironment } from "../guest-environment";
import type { LoadRequest } from "../load";
import { ORDERS_TABLES } from "./orders/module";
import { ORDERS_PATH, type OrderCommand } from "./orders/order";
import { OURS, type Peer } from "./peer";

const TOKEN_BYTES = 24;
/** A caller that has no answer by then will have none. */
const ANSWER_MS = 25_000;

/** One peer in its process, with a database of its own on the server that all share. */
export interface PeerTarget {
  readonly peer: Peer;
  readonly port: number;
  readonly url: string;
  readonly pid: () => number;
  /** The next of its callers' tokens signs it. */
  request(key: string, command: OrderCommand): LoadRequest;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export interface TargetOptions {
  readonly server: string;
  readonly folder: string;
  readonly dataDir: string;
  readonly port: number;
  readonly closers: (() => Promise<unknown>)[];
}

export async function openPeerTarget(peer: Peer, options: TargetOptions): Promise<PeerTarget> {
  const { server, folder, dataDir, port, closers } = options;
  const { url, drop } = await ownDatabase(server);
  closers.push(drop);
  const ours = peer.name === OURS;
  const publicUrl = `http://localhost:${String(port)}`;
  const tokens = ours ? await ourTables(url) : await theirTables(url);
  const own = { DATABASE_URL: url, PORT: String(port) };
  const config = join(import.meta.dirname, "orders/onceboard.config.ts");
  const env = ours
    ? { ...hostEnvironment(url, dataDir, port), ...own, PUBLIC_URL: publicUrl, ONCEBOARD_CONFIG: config }
    : guestEnvironment({ ...own, PEER: peer.name, PEER_DIR: folder, PEER_TOKENS: tokens.join(",") });
  const script = ours ? "cli/api.ts" : "tests/bench/peers/serve/main.ts";
  let child: BenchChild | undefined;
  let calls = 0;
  closers.push(async () => child?.stop());
  return {
    ...{ peer, port, url },
    pid: () => child?.pid ?? 0,
    request(key, command) {
      calls += 1;
      const token = tokens[calls % tokens.length] ?? "";
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": `"${key}"` };
      return { path: ORDERS_PATH, headers, body: JSON.stringify(command) };
    },
    async start() {
      child = await startBenchChild([...TSX, script], env, / ready on /);
    },
    kill: async () => child?.kill(),
  };
}

async function ourTables(url: string): Promise<string[]> {
  await migrate(url, { modules: [ORDERS_TABLES] });
  const db = createDatabase({ url, max: 1, applicationName: "bench" });
  try {
    const tokens: string[] = [];
    const asked = { tenant: BENCH_TENANT, name: CLIENT, scopes: [ORDERS_TABLES.name] };
    for (let n = 0; n < API_KEYS; n += 1) tokens.push((await createApiKey(db, asked)).key);
    return tokens;
  } finally {
    await db.close();
  }
}

/** The same table, and no other of ours. */
async function theirTables(url: string): Promise<string[]> {
  const tables = await readFile(new URL("0001_orders.sql", ORDERS_TABLES.migrations.directory), "utf8");
  await runAsOwner(url, [`create schema ${ORDERS_TABLES.name}`, tables]);
  return Array.from({ length: API_KEYS }, () => randomBytes(TOKEN_BYTES).toString("hex"));
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: string;
}

/** @returns its answer; status 0 where there was none */
export async function sendOrder(target: PeerTarget, { path, headers, body }: LoadRequest): Promise<PeerAnswer> {
  try {
    const answer = await fetch(`http://127.0.0.1:${String(target.port)}${path}`, {
      ...{ method: "POST", body, signal: AbortSignal.timeout(ANSWER_MS) },
      headers: { ...headers, "content-type": "application/json" },
    });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return { status: 0, body: "" };
  }
}
