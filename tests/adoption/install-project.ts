import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PackedPackage {
  /** Path of the tarball. */
  readonly tarball: string;
  /** The cache of npm, empty when the run begins; a second project finds there what the first one fetched. */
  readonly cache: string;
}

/**
 * Makes a project outside the repository and installs the packed package into it.
 *
 * @param packages what is installed beside it
 * @param options.alone leaves the packed package out
 * @returns the directory
 * @throws Error with what npm said
 */
export function installProject(
  { tarball, cache }: PackedPackage,
  packages: readonly string[],
  { alone = false }: { readonly alone?: boolean } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), "onceboard-adoption-"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const options = ["--cache", cache, "--prefer-offline", "--no-audit", "--no-fund"];
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["install", ...options, ...(alone ? [] : [tarball]), ...packages],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`npm install ended with ${String(status)}: ${stdout}${stderr}`);
  return folder;
}
