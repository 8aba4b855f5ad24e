import { z } from "zod";
import type { Preset } from "../contract/preset";
import type { FoundTable } from "../contract/tables";
import { keyMap } from "../mapped-keys/key-map";
import { mappedKeysPreset } from "../mapped-keys/mapped-keys";
import { suggestKeyMap } from "../mapped-keys/suggest-key-map";
import { messageMap } from "../mapped-messages/message-map";
import { mappedMessagesPreset } from "../mapped-messages/preset";
import { suggestMessageMap } from "../mapped-messages/suggest";

/** Schema and name of a table, with a dot between them. */
const MAX_TABLE = 200;

/** A map of a table that a team made itself: which table, and which of its columns is what. One of `keys` and `messages`. */
export const tableMap = z.strictObject({
  table: z.string().min(1).max(MAX_TABLE),
  because: z.string().optional(),
  keys: keyMap.optional(),
  messages: messageMap.optional(),
});
export type TableMap = z.infer<typeof tableMap>;

/** @returns the name of a table as a map says it: `public.outbox` */
export const nameOf = ({ schema, name }: Pick<FoundTable, "schema" | "name">): string => `${schema}.${name}`;

/** @returns the likely map of a table that no preset knows; nothing when it looks like neither keys nor messages */
export function guessMap(found: FoundTable): TableMap | undefined {
  const table = nameOf(found);
  const keys = suggestKeyMap(found);
  if (keys !== undefined) return { table, because: keys.because, keys: keys.map };
  const messages = suggestMessageMap(found);
  return messages === undefined ? undefined : { table, because: messages.because, messages: messages.map };
}

/** A preset, and each of its tables that is there. */
export interface PresetOfTables {
  readonly preset: Preset;
  readonly tables: Readonly<Record<string, FoundTable>>;
}

/**
 * The preset of a map, for its table as it is now.
 *
 * @throws Error in one sentence for a map of nothing, of a table that is not there, or that does not fit its table
 */
export function presetOfMap({ table, keys, messages }: TableMap, tables: readonly FoundTable[]): PresetOfTables {
  const found = tables.find((each) => nameOf(each) === table);
  if (found === undefined) throw new Error(`There is no table ${table}.`);
  if (keys !== undefined) return { preset: mappedKeysPreset(keys, found), tables: { keys: found } };
  if (messages !== undefined) return { preset: mappedMessagesPreset(messages, found), tables: { messages: found } };
  throw new Error(`The map of ${table} maps neither keys nor messages.`);
}
