import { createDatabase } from "@/db/client";
import { machineClass } from "../report";

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
