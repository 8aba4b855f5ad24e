import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { byAge, identityOf, requirePendingAction, type PendingAction, type PendingStore } from "./pending-store";

const SUFFIX = ".json";
const TEMPORARY = ".tmp";
/** What a killed writer left is taken away after this. */
const LEFT_OVER_MS = 3_600_000;
/** Of whoever opens and of whoever removes the same action at the same time, one is done after a few turns. */
const MAX_TURNS = 10;

/**
 * For Node programs: one file per pending action in `directory`, of one account. A file is there whole or not at all, also after a
 * kill or a loss of power: it is written and flushed under another name, then linked to its own, which only one process can do.
 * Commands may be confidential, so only the owner may read it. Needs a file system with hard links.
 */
export function createFileStore(directory: string): PendingStore {
  const pathOf = (action: PendingAction): string =>
    join(directory, createHash("sha256").update(identityOf(action)).digest("hex") + SUFFIX);
  return {
    async open(action) {
      const path = pathOf(action);
      for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
        const kept = await readKept(path);
        if (kept) return kept;
        if (await writeWhole(directory, path, JSON.stringify(action))) return action;
      }
      throw new Error(`${path} is there and gone again and again.`);
    },
    async remove(action) {
      const path = pathOf(action);
      if ((await readKept(path))?.key !== action.key) return;
      await rm(path, { force: true });
      await flush(directory);
    },
    async list() {
      const actions: PendingAction[] = [];
      for (const name of await namesIn(directory)) {
        const path = join(directory, name);
        if (name.endsWith(TEMPORARY)) await removeLeftOver(path);
        const action = name.endsWith(SUFFIX) ? await readKept(path) : undefined;
        if (action) actions.push(action);
      }
      return actions.sort(byAge);
    },
  };
}

/** @throws when the file is there and not ours */
async function readKept(path: string): Promise<PendingAction | undefined> {
  const text = await unless("ENOENT", readFile(path, "utf8"));
  return text === undefined ? undefined : requirePendingAction(text, path);
}

/** @returns false when another process was first. */
async function writeWhole(directory: string, path: string, text: string): Promise<boolean> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}${TEMPORARY}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    const linked = await unless(
      "EEXIST",
      link(temporary, path).then(() => true),
    );
    if (linked) await flush(directory);
    return linked ?? false;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The name is durable once its directory is. */
async function flush(directory: string): Promise<void> {
  // Windows opens no directory; its file system keeps names in order by itself.
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await unless("ENOENT", readdir(directory))) ?? [];
}

async function removeLeftOver(path: string): Promise<void> {
  const found = await unless("ENOENT", stat(path));
  if (found && found.mtimeMs < Date.now() - LEFT_OVER_MS) await rm(path, { force: true });
}

/** @returns `undefined` for the one failure that is expected. */
async function unless<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === code) return undefined;
    throw error;
  }
}
