import { createHash, randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, mkdir, open, readdir, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { KEY_BYTES } from "../key-entries";
import { KeyStoreUnavailableError, type KeyPeriod, type KeyStore } from "../key-store";
import { openUnderPeriod, sealUnderPeriod } from "./under-period";

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
/** Any bit by which somebody else gets at it. */
const OTHERS = 0o077;
const ID_FILE = "store-id";
const KEY_FILE = /^(\d{4}-\d{2}-\d{2})\.key$/;
/** Windows has no such modes: there the directory's own rights have to keep others out. */
const HAS_MODES = process.platform !== "win32";

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Keys of periods as files: `DIRECTORY/<hash of the tenant>/<day>.key`, 32 bytes each, directories 0700, files 0600. Any number of
 * processes on one machine may share it. A key is destroyed by overwriting its file, flushing, removing it, and flushing the directory.
 * On a disk that writes elsewhere than where it reads (an SSD, a copy-on-write file system, a snapshot) the old blocks may live on
 * below the file system: the directory belongs on a volume that is encrypted, and into no backup that outlives the bodies.
 *
 * @param directory made at the first use
 */
export function createFileKeyStore(directory: string): KeyStore {
  const root = resolve(directory);
  let known: string | undefined;

  /** Every error of the disk is one of the store, said with the name of the file and never with what is in it. */
  async function guarded<T>(what: () => Promise<T>): Promise<T> {
    try {
      return await what();
    } catch (error) {
      if (error instanceof KeyStoreUnavailableError) throw error;
      throw new KeyStoreUnavailableError(`the key store ${root} does not work (${codeOf(error) ?? "unknown"})`, error);
    }
  }

  const folderOf = (tenantId: string): string =>
    join(root, createHash("sha256").update(tenantId).digest("hex").slice(0, 32));
  const fileOf = ({ tenantId, day }: KeyPeriod): string => join(folderOf(tenantId), `${day}.key`);

  /** A volume that is not mounted looks like a store without keys: by its id a process sees that it is another one. */
  async function requireSame(): Promise<string> {
    await makePrivate(root);
    const file = join(root, ID_FILE);
    const id = (
      await (known === undefined ? readOrMake(file, Buffer.from(randomUUID())) : readWhole(file))
    )?.toString();
    if (id === undefined || (known ?? id) !== id)
      throw new KeyStoreUnavailableError(`${root} is not the key store that this process began with`);
    return (known = id);
  }

  async function keyOf(period: KeyPeriod): Promise<Buffer | undefined> {
    await requireSame();
    const key = await readWhole(fileOf(period));
    if (key !== undefined && key.length !== KEY_BYTES)
      throw new KeyStoreUnavailableError(`${fileOf(period)} is damaged: it must have ${String(KEY_BYTES)} bytes`);
    return key;
  }

  async function makeKey(period: KeyPeriod): Promise<Buffer> {
    await requireSame();
    await makePrivate(folderOf(period.tenantId));
    const key = await readOrMake(fileOf(period), randomBytes(KEY_BYTES));
    if (key.length !== KEY_BYTES)
      throw new KeyStoreUnavailableError(`${fileOf(period)} is damaged: it must have ${String(KEY_BYTES)} bytes`);
    return key;
  }

  return {
    kind: "file",
    prepare: () => guarded(requireSame),
    id: () => guarded(async () => `file:${await requireSame()}`),
    wrap: (period, plain) => guarded(async () => sealUnderPeriod(await makeKey(period), period, plain)),
    unwrap: (period, wrapped) =>
      guarded(async () => {
        const key = await keyOf(period);
        return key && openUnderPeriod(key, period, wrapped);
      }),
    destroy: (tenantId, days) =>
      guarded(async () => {
        await requireSame();
        for (const day of days) await destroyFile(fileOf({ tenantId, day }));
        if (days.length > 0) await flushDirectory(folderOf(tenantId));
      }),
    daysBefore: (tenantId, before, limit) =>
      guarded(async () => {
        await requireSame();
        const made = Date.parse(before);
        const found: string[] = [];
        for (const name of (await namesIn(folderOf(tenantId))).sort()) {
          const day = KEY_FILE.exec(name)?.[1];
          if (day === undefined || day >= before || found.length === limit) continue;
          if ((await lstat(join(folderOf(tenantId), name))).mtimeMs < made) found.push(day);
        }
        return found;
      }),
    close: () => Promise.resolve(),
  };
}

async function makePrivate(directory: string): Promise<void> {
  await makeDirectory(directory);
  await requirePrivate(directory);
}

/** Not `{ recursive: true }`: below a place where nothing can be made, such as /proc, Node 20 tries that for ever. */
async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: PRIVATE_DIRECTORY });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory));
    await makeDirectory(directory);
  }
}

/** @throws KeyStoreUnavailableError when others get at it, or it is no directory */
async function requirePrivate(directory: string): Promise<void> {
  const { mode } = await lstat(directory);
  if (HAS_MODES && (mode & OTHERS) !== 0)
    throw new KeyStoreUnavailableError(`${directory} is open to others: chmod 700 ${directory}`);
}

/** @returns undefined when there is none @throws KeyStoreUnavailableError when others get at the file */
async function readWhole(path: string): Promise<Buffer | undefined> {
  let file: FileHandle;
  try {
    // Not through a link, which could lead anywhere.
    file = await open(path, constants.O_RDONLY | (HAS_MODES ? constants.O_NOFOLLOW : 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    if (HAS_MODES && ((await file.stat()).mode & OTHERS) !== 0)
      throw new KeyStoreUnavailableError(`${path} is open to others: chmod 600 ${path}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Whole or not at all, and the same for all that come at once: a hard link is made only where there is nothing yet. */
async function readOrMake(path: string, content: Buffer): Promise<Buffer> {
  const there = await readWhole(path);
  if (there !== undefined) return there;
  const half = `${path}.${String(process.pid)}.${randomBytes(4).toString("hex")}`;
  await writeFlushed(half, content, constants.O_CREAT | constants.O_EXCL);
  try {
    await link(half, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await unlink(half);
  }
  await flushDirectory(dirname(path));
  const stands = await readWhole(path);
  if (stands === undefined) throw new KeyStoreUnavailableError(`${path} was removed while it was made`);
  return stands;
}

async function destroyFile(path: string): Promise<void> {
  try {
    await writeFlushed(path, randomBytes(KEY_BYTES), HAS_MODES ? constants.O_NOFOLLOW : 0);
    await unlink(path);
  } catch (error) {
    // Another process was first, or an earlier try was cut off after it.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

async function writeFlushed(path: string, content: Buffer, flags: number): Promise<void> {
  const file = await open(path, constants.O_WRONLY | flags, PRIVATE_FILE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function flushDirectory(directory: string): Promise<void> {
  // Windows flushes no directory.
  if (!HAS_MODES) return;
  try {
    const handle = await open(directory, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
