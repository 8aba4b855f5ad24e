import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { byAge, readPendingAction, type PendingAction, type PendingStore } from "./pending-store";

const SUFFIX = ".json";

/** For Node programs: one file per pending action in `directory`, written whole or not at all. */
export function createFileStore(directory: string): PendingStore {
  const pathOf = (key: string): string => join(directory, encodeURIComponent(key) + SUFFIX);
  return {
    put: async (action) => {
      await mkdir(directory, { recursive: true });
      const temporary = `${pathOf(action.key)}.${String(process.pid)}.tmp`;
      await writeFile(temporary, JSON.stringify(action), { flush: true });
      await rename(temporary, pathOf(action.key));
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    list: async () => {
      const names = await readdir(directory).catch(() => []);
      const actions: PendingAction[] = [];
      for (const name of names.filter((entry) => entry.endsWith(SUFFIX))) {
        const text = await readFile(join(directory, name), "utf8").catch(() => "");
        const action = readPendingAction(text);
        if (action) actions.push(action);
      }
      return actions.sort(byAge);
    },
  };
}
