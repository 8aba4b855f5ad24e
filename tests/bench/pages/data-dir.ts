import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of a server of our own, gone with it. */
export async function tempDataDir(closers: (() => Promise<unknown>)[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "onceboard-pages-"));
  closers.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
