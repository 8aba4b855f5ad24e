import { PRESETS } from "@/attach/presets";

const ID_WIDTH = 26;

/** The libraries whose tables are known. */
export function listPresets(): Promise<void> {
  for (const { id, title, versions } of PRESETS)
    process.stdout.write(`${id.padEnd(ID_WIDTH)}  ${title} (${versions})\n`);
  return Promise.resolve();
}
