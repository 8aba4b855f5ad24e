import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";

export const MIGRATIONS_DIR = fileURLToPath(new URL("../../drizzle", import.meta.url));
/** The first line of a part that runs outside a transaction (drizzle/README.md). */
const CONCURRENTLY = "-- onceboard: concurrently";

export interface MigrationPart {
  readonly text: string;
  /** Runs by itself, outside a transaction, and may be begun again after it failed. */
  readonly concurrently: boolean;
}

export interface MigrationFile {
  readonly tag: string;
  /** By which migrations are ordered, as in drizzle/meta/_journal.json. */
  readonly when: bigint;
  readonly hash: string;
  readonly parts: readonly MigrationPart[];
}

/** @returns all migrations, the oldest first */
export function readMigrations(directory: string = MIGRATIONS_DIR): MigrationFile[] {
  const journal = JSON.parse(readFileSync(join(directory, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  return readMigrationFiles({ migrationsFolder: directory }).map((file, index) => ({
    tag: journal.entries[index]?.tag ?? "",
    when: BigInt(file.folderMillis),
    hash: file.hash,
    parts: file.sql.map(partOf),
  }));
}

/** @param text between two `--> statement-breakpoint` */
export function partOf(text: string): MigrationPart {
  const trimmed = text.trim();
  return { text: trimmed, concurrently: trimmed.split("\n", 1)[0]?.trim() === CONCURRENTLY };
}
