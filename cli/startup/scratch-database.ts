import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@/db/embedded/embedded";
import type { Scratch } from "@/db/migrations/dry-run";

/** An embedded PostgreSQL in the system's temporary directory; its files go with it. */
export async function openScratch(): Promise<Scratch> {
  const dataDir = mkdtempSync(join(tmpdir(), "onceboard-dry-run-"));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const database = await startEmbedded({ dataDir });
    return { url: database.url, stop: () => database.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
