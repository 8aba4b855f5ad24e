import { openForeign } from "@/attach/connection";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import type { Preset } from "@/attach/contract/preset";
import type { FoundTable } from "@/attach/contract/tables";
import { installSteps } from "@/attach/install/install-sql";
import { readTables } from "@/attach/probe/read-tables";
import { recognise } from "@/attach/probe/recognise";
import type { Queryable } from "@/db/client";
import type { ForeignAddress } from "./databases";

/** Which preset fits, and what only the owner knows. */
export interface Chosen {
  readonly preset: Preset;
  readonly tables: Readonly<Record<string, FoundTable>>;
  readonly constants: Readonly<Record<string, string>>;
}

/** What the owner of a database runs: the steps of the file for the tables that are there, as often as it is asked to. */
export async function installAttachment(
  owner: Queryable,
  { url, role }: ForeignAddress,
  choose: (tables: readonly FoundTable[]) => Chosen,
): Promise<void> {
  const foreign = await openForeign(url);
  try {
    const { preset, ...chosen } = choose(await readTables(foreign));
    const { look, act, index } = installSteps(preset, { schema: ATTACH_SCHEMA, role, acting: true, ...chosen });
    await owner.query({ text: `begin; ${look}\n${act}\ncommit` });
    // An index is made concurrently, outside of any transaction.
    for (const statement of index.split(";\n"))
      if (statement.includes("create")) await owner.query({ text: statement });
  } finally {
    await foreign.close();
  }
}

/** The tables of a library, recognised by their columns. @throws Error when they are not there */
export function ofLibrary(
  preset: Preset,
  constants: Readonly<Record<string, string>> = {},
): (tables: readonly FoundTable[]) => Chosen {
  return (tables) => {
    const { recognised, nearMisses } = recognise([preset], tables);
    const [found] = recognised;
    if (found === undefined) throw new Error(nearMisses[0]?.because ?? `There are no tables of ${preset.title}.`);
    return { preset, tables: found.tables, constants };
  };
}
