import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { ModuleTables } from "./module-tables";

const MODULE_NAME = /^[a-z][a-z0-9_]{0,61}$/;
/** Schemas that are somebody else's. */
const TAKEN = /^(onceboard|public|information_schema|pg_.*)$/;
const FILE_NAME = /^(\d{4}_[a-z0-9_]+)\.sql$/;

export interface ModuleMigration {
  /** `0001_tables` */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}

/** @throws Error in one sentence when the module's name is no name of a schema, or a file is not named `0001_what_it_does.sql` */
export function migrationFiles({ name, migrations }: Pick<ModuleTables, "name" | "migrations">): ModuleMigration[] {
  if (!MODULE_NAME.test(name) || TAKEN.test(name)) {
    throw new Error(
      `Module ${name} cannot have tables: its name is also that of its schema, and must be one like my_module.`,
    );
  }
  if (migrations === undefined) return [];
  const directory = fileURLToPath(migrations.directory);
  const files = readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort();
  const numbers = new Set<string>();
  return files.map((file) => {
    const [, tag] = FILE_NAME.exec(file) ?? [];
    const number = file.slice(0, 4);
    if (tag === undefined || numbers.has(number)) {
      throw new Error(
        `Migration ${file} of module ${name} must be named like 0001_what_it_does.sql, by a number of its own.`,
      );
    }
    numbers.add(number);
    const text = readFileSync(join(directory, file), "utf8");
    return { name: tag, text, hash: createHash("sha256").update(text).digest("hex") };
  });
}
