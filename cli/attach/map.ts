import { readFileSync } from "node:fs";
import type { Foreign } from "@/attach/connection";
import type { FoundTable } from "@/attach/contract/tables";
import { guessMap, nameOf, presetOfMap, tableMap, type PresetOfTables, type TableMap } from "@/attach/probe/guess-map";
import { readTables } from "@/attach/probe/read-tables";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withAttached } from "./open-attached";

const USAGE = "attach map SCHEMA.TABLE [--url-variable NAME]";
const MAX_MAP_BYTES = 65_536;

/** Writes which column of a hand-made table is likely to be what: a start, for somebody who knows the table. */
export async function printMap([name = "", ...rest]: readonly string[]): Promise<void> {
  const values = readArguments(rest, typed(USAGE), { needed: [], optional: ["url-variable"] });
  await withAttached(values["url-variable"], async (foreign) => {
    const found = await tableOf(foreign, name);
    const guess = guessMap(found);
    if (guess === undefined)
      throw new Error(`${name} looks like no table of keys or messages. docs/attach/ says how a map is written.`);
    process.stdout.write(`${JSON.stringify(guess, undefined, 2)}\n`);
  });
}

/**
 * The preset of a map in a file, for the table as it is now.
 *
 * @throws Error in one sentence for a file that is no map, or one that does not fit its table
 */
export async function readMappedPreset(foreign: Foreign, path: string): Promise<PresetOfTables> {
  const map = parseMap(path);
  if (map.keys === undefined && map.messages === undefined) throw new Error(`${path} maps neither keys nor messages.`);
  return presetOfMap(map, [await tableOf(foreign, map.table)]);
}

function parseMap(path: string): TableMap {
  const text = readFileSync(path, "utf8");
  if (text.length > MAX_MAP_BYTES) throw new Error(`${path} is too long for a map.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON.`, { cause: error });
  }
  const parsed = tableMap.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "no map"}.`);
}

async function tableOf(foreign: Foreign, name: string): Promise<FoundTable> {
  const found = (await readTables(foreign)).find((table) => nameOf(table) === name);
  if (found === undefined)
    throw new Error(`There is no table ${name === "" ? "without a name" : name}. Usage: ${typed(USAGE)}`);
  return found;
}
