import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@/db/client";
import { startEmbedded } from "@/db/embedded/embedded";

/** Making and dropping a database, filling and sorting millions of rows. */
const LONG_STATEMENT_MS = 1_800_000;

/** @returns the server of DATABASE_URL, or one of our own from npm with commits on disk, which ends with `closers`. */
export async function benchServerUrl(dataDir: string, closers: (() => Promise<unknown>)[]): Promise<string> {
  const given = process.env["DATABASE_URL"];
  if (given) return given;
  const embedded = await startEmbedded({ dataDir });
  closers.push(() => embedded.stop());
  return embedded.url;
}

type Closers = (() => Promise<unknown>)[];

/** Runs `work` on the server of DATABASE_URL, or on one of its own; `closers` run when it ends. */
export async function onBenchServer<T>(work: (server: string, closers: Closers) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-bench-"));
  const closers: Closers = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    return await work(await benchServerUrl(dataDir, closers), closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Makes an empty database on this server. */
export async function ownDatabase(server: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `onceboard_bench_${randomBytes(4).toString("hex")}`;
  const run = async (text: string): Promise<void> => {
    const admin = createDatabase({ url: server, max: 1, statementTimeoutMs: LONG_STATEMENT_MS, role: "owner" });
    try {
      await admin.pool.query({ text });
    } finally {
      await admin.close();
    }
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}

/** Runs statements that may take minutes, as the owner. */
export async function runAsOwner(url: string, statements: readonly string[]): Promise<void> {
  const owner = createDatabase({ url, max: 1, statementTimeoutMs: LONG_STATEMENT_MS, role: "owner" });
  try {
    for (const text of statements) await owner.pool.query({ text });
  } finally {
    await owner.close();
  }
}

/**
 * So that each measurement starts alike: with what the planner knows a minute later anyhow (autovacuum, or a worker's loop `statistics`),
 * and with nothing left to write of the one before.
 */
export function settleDatabase(url: string): Promise<void> {
  return runAsOwner(url, ["vacuum analyze", "checkpoint"]);
}
