import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@/db/client";
import { benchServerUrl } from "../database";
import { machineClass } from "../report";

/** Runs `work` on the server of DATABASE_URL, or on one of its own. */
export async function onServer<T>(work: (server: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-bench-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    return await work(await benchServerUrl(dataDir, closers));
  } finally {
    for (const closer of closers.reverse()) await closer();
  }
}

/** The machine, and the settings that decide how durable a commit is, as this server has them for everybody. */
export async function machineAndDurability(server: string): Promise<string> {
  const db = createDatabase({ url: server, max: 1, role: "owner" });
  try {
    const { rows } = await db.pool.query<{ text: string }>({
      text: `select 'PostgreSQL ' || current_setting('server_version') || ': ' || string_agg(name || ' ' || setting, ', ' order by name) || '.' as text
             from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers')`,
    });
    return `Machine: ${machineClass()}. ${rows[0]?.text ?? ""}`;
  } finally {
    await db.close();
  }
}
