import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";

/** Of both logins of a foreign database: what must be seen nowhere. */
export const FOREIGN_PASSWORD = "only-of-this-test";

interface CapOptions {
  /** A row in each state. */
  readonly rows?: boolean;
  /** The schema is there, with what changes rows. */
  readonly installed?: boolean;
}

/** A database of somebody who uses CAP, whose times are in UTC. */
export async function openCapDatabase({ rows = false, installed = false }: CapOptions = {}): Promise<ForeignDatabase> {
  const database = await createForeignDatabase(CAP_TABLES);
  if (rows) await insertCapRows(database, "UTC");
  if (installed) await installCap(database);
  return database;
}

export function installCap(database: ForeignDatabase): Promise<void> {
  return database.install(cap, { time_zone: "UTC" });
}
