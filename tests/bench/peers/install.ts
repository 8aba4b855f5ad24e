import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { installPackages, type Installed } from "../install-packages";
import type { Peer } from "./peer";

/**
 * Brings what a peer is made of into a folder of its own.
 *
 * @param sources where the sources of peers are, by name, as `--peer-source` says
 */
export async function installPeer(peer: Peer, sources: ReadonlyMap<string, string>): Promise<Installed> {
  const source = sources.get(peer.name);
  if (peer.sources !== undefined && source === undefined)
    return { missing: `its source is needed: --peer-source ${peer.name}=<folder>` };
  const installed = await installPackages(peer.name, peer.packages);
  if ("missing" in installed) return installed;
  for (const [to, from] of Object.entries(peer.sources ?? {})) {
    const path = join(source ?? "", from);
    if (!existsSync(path)) return { missing: `${peer.name}=${source ?? ""} has no folder ${from}` };
    await rm(join(installed.folder, to), { recursive: true, force: true });
    await cp(path, join(installed.folder, to), { recursive: true });
  }
  return installed;
}
