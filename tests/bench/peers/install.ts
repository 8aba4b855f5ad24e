import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Peer } from "./peer";

const INSTALL_MS = 300_000;
const MAX_ERROR = 300;
/** What is there in the same versions is used again. */
const STAMP = "installed.json";
const run = promisify(execFile);

export type PeerHome = { readonly folder: string } | { readonly missing: string };

/**
 * Brings what a peer is made of into a folder of its own for temporary files, never into this project.
 *
 * @param sources where the sources of peers are, by name, as `--peer-source` says
 * @returns its folder, or in one sentence why it cannot be had
 */
export async function installPeer(peer: Peer, sources: ReadonlyMap<string, string>): Promise<PeerHome> {
  const folder = join(tmpdir(), "onceboard-bench-peers", peer.name);
  const source = sources.get(peer.name);
  if (peer.sources !== undefined && source === undefined)
    return { missing: `its source is needed: --peer-source ${peer.name}=<folder>` };
  try {
    await fromRegistry(folder, peer.packages);
  } catch (error) {
    return { missing: `npm could not install it: ${lastLine(error)}` };
  }
  for (const [to, from] of Object.entries(peer.sources ?? {})) {
    const path = join(source ?? "", from);
    if (!existsSync(path)) return { missing: `${peer.name}=${source ?? ""} has no folder ${from}` };
    await rm(join(folder, to), { recursive: true, force: true });
    await cp(path, join(folder, to), { recursive: true });
  }
  return { folder };
}

async function fromRegistry(folder: string, packages: readonly string[]): Promise<void> {
  const wanted = JSON.stringify(packages);
  if ((await readFile(join(folder, STAMP), "utf8").catch(() => "")) === wanted) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), "{}\n");
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  if (packages.length > 0) await run("npm", args, { cwd: folder, timeout: INSTALL_MS });
  await writeFile(join(folder, STAMP), wanted);
}

function lastLine(error: unknown): string {
  const output = (error as { readonly stderr?: string }).stderr ?? String(error);
  const lines = output.split("\n").filter((line) => line.startsWith("npm error") && !line.includes("debug-0.log"));
  return (lines.find((line) => / 404 {2}| notarget /.test(line)) ?? lines[0] ?? output).slice(0, MAX_ERROR);
}
