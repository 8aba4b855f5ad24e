import { checkAttached, listPresets, probeDatabase } from "./attach/look";
import { printPreset } from "./attach/print";
import { printMap } from "./attach/map";
import { printRows } from "./attach/rows";
import { typed } from "./startup/installation";
import { runMain } from "./startup/run-main";

const PARTS: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  list: listPresets,
  probe: probeDatabase,
  check: checkAttached,
  rows: printRows,
  map: printMap,
};

/** The console over tables that a team already has: what they are, the SQL for their owner, and whether it can be used. docs/attach/README.md. */
await runMain(async () => {
  const [name = "", ...rest] = process.argv.slice(2);
  if (name === "" || name.startsWith("-"))
    throw new Error(
      `Say what to do: ${typed(`attach ${Object.keys(PARTS).join("|")}`)}, or ${typed("attach PRESET --print")}.`,
    );
  await (PARTS[name] ?? ((argv: readonly string[]) => printPreset(name, argv)))(rest);
});
