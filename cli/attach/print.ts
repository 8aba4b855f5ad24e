import { parseArgs } from "node:util";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import type { Preset } from "@/attach/contract/preset";
import { defaultTables, type FoundTable } from "@/attach/contract/tables";
import { installFile } from "@/attach/install/install-sql";
import { PRESETS } from "@/attach/presets";
import { readTables } from "@/attach/probe/read-tables";
import { recognise } from "@/attach/probe/recognise";
import { typed } from "../startup/installation";
import { readMappedPreset } from "./map";
import { withAttached } from "./open-attached";

const USAGE =
  "attach PRESET --print [--set NAME=VALUE …] [--role LOGIN] [--schema THEIRS] [--as SCHEMA] [--read-only] [--url-variable NAME]";
const MAPPED = "mapped";
const MAPPED_USAGE =
  "attach mapped --map FILE --print [--set NAME=VALUE …] [--role LOGIN] [--as SCHEMA] [--read-only] [--url-variable NAME]";
const DEFAULT_ROLE = "onceboard_attach";
/** Names of PostgreSQL have at most 63 bytes. */
const NAME = /^[^\0]{1,63}$/;
const OPTIONS = {
  print: { type: "boolean" },
  map: { type: "string" },
  "read-only": { type: "boolean" },
  set: { type: "string", multiple: true },
  role: { type: "string" },
  schema: { type: "string" },
  as: { type: "string" },
  "url-variable": { type: "string" },
} as const;

/** Writes the SQL that the owner of a database runs: as the tables are there, or as the library makes them. */
export async function printPreset(name: string, argv: readonly string[]): Promise<void> {
  if (name === MAPPED) {
    await printMapped(argv);
    return;
  }
  const preset = PRESETS.find(({ id }) => id === name);
  if (preset === undefined)
    throw new Error(`There is no preset ${name}: ${typed("attach list")} says which there are.`);
  const values = read(argv);
  if (values.print !== true) throw new Error(`Usage: ${typed(USAGE)}`);
  if (values["url-variable"] === undefined) {
    write(preset, defaultTables(preset.tables, named(values.schema ?? preset.schema)), values);
    return;
  }
  await withAttached(values["url-variable"], async (foreign) => {
    const { recognised, nearMisses } = recognise([preset], await readTables(foreign));
    const here = recognised.filter(({ schema }) => values.schema === undefined || schema === values.schema);
    const [found] = here;
    if (here.length > 1)
      throw new Error(
        `${preset.title} is in ${here.map(({ schema }) => schema).join(" and ")}: say which by --schema.`,
      );
    if (found === undefined)
      throw new Error(nearMisses[0]?.because ?? `This database has no tables of ${preset.title}.`);
    write(preset, found.tables, values);
  });
}

/** Of a table that was made by hand: the map is a file, and the table is looked at. */
async function printMapped(argv: readonly string[]): Promise<void> {
  const values = read(argv);
  const { map } = values;
  if (values.print !== true || map === undefined) throw new Error(`Usage: ${typed(MAPPED_USAGE)}`);
  await withAttached(values["url-variable"], async (foreign) => {
    const { preset, tables } = await readMappedPreset(foreign, map);
    write(preset, tables, values);
  });
}

function write(preset: Preset, tables: Readonly<Record<string, FoundTable>>, values: ReturnType<typeof read>): void {
  process.stdout.write(
    installFile(preset, {
      schema: named(values.as ?? ATTACH_SCHEMA),
      role: named(values.role ?? DEFAULT_ROLE),
      tables,
      constants: constantsOf(values.set ?? []),
      acting: values["read-only"] !== true,
    }),
  );
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const because = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new Error(`${because ?? "That cannot be read"}. Usage: ${typed(USAGE)}`, { cause: error });
  }
}

function named(name: string): string {
  if (!NAME.test(name)) throw new Error(`${name} is no name of PostgreSQL.`);
  return name;
}

function constantsOf(settings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const [name = "", ...value] = setting.split("=");
      if (value.length === 0) throw new Error(`--set wants NAME=VALUE, not ${setting}.`);
      return [name, value.join("=")];
    }),
  );
}
