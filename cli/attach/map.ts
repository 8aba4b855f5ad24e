import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Foreign } from "@/attach/connection";
import type { Preset } from "@/attach/contract/preset";
import type { FoundTable } from "@/attach/contract/tables";
import { keyMap } from "@/attach/mapped-keys/key-map";
import { mappedKeysPreset } from "@/attach/mapped-keys/mapped-keys";
import { suggestKeyMap } from "@/attach/mapped-keys/suggest-key-map";
import { messageMap } from "@/attach/mapped-messages/message-map";
import { mappedMessagesPreset } from "@/attach/mapped-messages/preset";
import { suggestMessageMap } from "@/attach/mapped-messages/suggest";
import { readTables } from "@/attach/probe/read-tables";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withAttached } from "./open-attached";

const USAGE = "attach map SCHEMA.TABLE [--url-variable NAME]";
const MAX_MAP_BYTES = 65_536;

/** A map as a file: which table, and which of its columns is what. */
const mapFile = z.strictObject({
  table: z.string().max(200),
  because: z.string().optional(),
  keys: keyMap.optional(),
  messages: messageMap.optional(),
});
type MapFile = z.infer<typeof mapFile>;

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

/** @returns the likely map of a table that no preset knows; nothing when it looks like neither keys nor messages */
export function guessMap(found: FoundTable): MapFile | undefined {
  const table = `${found.schema}.${found.name}`;
  const keys = suggestKeyMap(found);
  if (keys !== undefined) return { table, because: keys.because, keys: keys.map };
  const messages = suggestMessageMap(found);
  return messages === undefined ? undefined : { table, because: messages.because, messages: messages.map };
}

/**
 * The preset of a map in a file, for the table as it is now.
 *
 * @throws Error in one sentence for a file that is no map, or one that does not fit its table
 */
export async function readMappedPreset(
  foreign: Foreign,
  path: string,
): Promise<{ readonly preset: Preset; readonly tables: Readonly<Record<string, FoundTable>> }> {
  const { table, keys, messages } = parseMap(path);
  const found = await tableOf(foreign, table);
  if (keys !== undefined) return { preset: mappedKeysPreset(keys, found), tables: { keys: found } };
  if (messages !== undefined) return { preset: mappedMessagesPreset(messages, found), tables: { messages: found } };
  throw new Error(`${path} maps neither keys nor messages.`);
}

function parseMap(path: string): MapFile {
  const text = readFileSync(path, "utf8");
  if (text.length > MAX_MAP_BYTES) throw new Error(`${path} is too long for a map.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON.`, { cause: error });
  }
  const parsed = mapFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "no map"}.`);
}

async function tableOf(foreign: Foreign, name: string): Promise<FoundTable> {
  const found = (await readTables(foreign)).find((table) => `${table.schema}.${table.name}` === name);
  if (found === undefined)
    throw new Error(`There is no table ${name === "" ? "without a name" : name}. Usage: ${typed(USAGE)}`);
  return found;
}
