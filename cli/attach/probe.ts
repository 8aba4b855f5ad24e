import { PRESETS } from "@/attach/presets";
import { readTables } from "@/attach/probe/read-tables";
import { recognise } from "@/attach/probe/recognise";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withAttached } from "./open-attached";

const USAGE = "attach probe [--url-variable NAME]";

/** Whose tables a database has, and by which columns they are known. It reads the catalogue and no row. */
export async function probeDatabase(argv: readonly string[]): Promise<void> {
  const values = readArguments(argv, typed(USAGE), { needed: [], optional: ["url-variable"] });
  await withAttached(values["url-variable"], async (foreign) => {
    const tables = await readTables(foreign);
    const { recognised, nearMisses } = recognise(PRESETS, tables);
    for (const { preset, schema, because } of recognised)
      process.stdout.write(`${preset.id} in ${schema}: ${because}\n  next: ${typed(`attach ${preset.id} --print`)}\n`);
    for (const { preset, schema, because } of nearMisses)
      process.stdout.write(`not ${preset.id} in ${schema}: ${because}\n`);
    if (recognised.length === 0)
      process.stdout.write(
        `No known shape among ${String(tables.length)} tables. ${typed("attach list")} says which are known.\n`,
      );
  });
}
