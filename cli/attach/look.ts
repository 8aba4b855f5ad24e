import { checkAttachment } from "@/attach/check/check-attachment";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import { guessMap } from "@/attach/probe/guess-map";
import { readTables } from "@/attach/probe/read-tables";
import { recognise } from "@/attach/probe/recognise";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withAttached } from "./open-attached";

const PROBE_USAGE = "attach probe [--url-variable NAME]";
const CHECK_USAGE = "attach check [--url-variable NAME] [--as SCHEMA]";
const ID_WIDTH = 26;
const STATE_WIDTH = 5;

/** The libraries whose tables are known. */
export function listPresets(): Promise<void> {
  for (const { id, title, versions } of PRESETS)
    process.stdout.write(`${id.padEnd(ID_WIDTH)}  ${title} (${versions})\n`);
  return Promise.resolve();
}

/** Whose tables a database has, and by which columns they are known. It reads the catalogue and no row. */
export async function probeDatabase(argv: readonly string[]): Promise<void> {
  const values = readArguments(argv, typed(PROBE_USAGE), { needed: [], optional: ["url-variable"] });
  await withAttached(values["url-variable"], async (foreign) => {
    const tables = await readTables(foreign);
    const { recognised, nearMisses } = recognise(PRESETS, tables);
    for (const { preset, schema, because } of recognised)
      process.stdout.write(`${preset.id} in ${schema}: ${because}\n  next: ${typed(`attach ${preset.id} --print`)}\n`);
    for (const { preset, schema, because } of nearMisses)
      process.stdout.write(`not ${preset.id} in ${schema}: ${because}\n`);
    const taken = new Set(recognised.flatMap(({ tables: theirs }) => Object.values(theirs)));
    const guesses = tables.filter((table) => !taken.has(table)).flatMap((table) => guessMap(table) ?? []);
    for (const { table, because } of guesses)
      process.stdout.write(`made by hand, perhaps: ${because ?? table}\n  next: ${typed(`attach map ${table}`)}\n`);
    if (recognised.length + guesses.length === 0)
      process.stdout.write(
        `No known shape among ${String(tables.length)} tables. ${typed("attach list")} says which are known.\n`,
      );
  });
}

/** Whether an attachment can be used, a line each; ends with 1 when something is wrong. */
export async function checkAttached(argv: readonly string[]): Promise<void> {
  const values = readArguments(argv, typed(CHECK_USAGE), { needed: [], optional: ["url-variable", "as"] });
  await withAttached(values["url-variable"], async (foreign) => {
    const findings = await checkAttachment(foreign, values.as ?? ATTACH_SCHEMA, PRESETS);
    for (const { state, text, mend } of findings) {
      process.stdout.write(`${state.padEnd(STATE_WIDTH)}  ${text}\n`);
      if (mend !== undefined) process.stdout.write(`${" ".repeat(STATE_WIDTH)}  mend: ${mend}\n`);
    }
    if (findings.some(({ state }) => state === "wrong")) process.exitCode = 1;
  });
}
