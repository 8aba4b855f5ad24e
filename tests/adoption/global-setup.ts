import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { packagesOf } from "./adopt-page";
import { installProject, type PackedPackage } from "./install-project";

declare module "vitest" {
  export interface ProvidedContext {
    readonly packed: PackedPackage;
    /** A directory outside the repository in which the packed package is installed, with what docs/ADOPT.md installs beside it. */
    readonly installed: string;
  }
}

/** @returns what takes the installation away again */
export default function install(project: TestProject): () => void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/pack.mjs"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`scripts/pack.mjs ended with ${String(status)}: ${stdout}${stderr}`);
  const tarball = readdirSync(".package").find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("nothing was packed");
  const packed = { tarball: resolve(".package", tarball), cache: mkdtempSync(join(tmpdir(), "onceboard-npm-cache-")) };
  const installed = installProject(packed, packagesOf());
  project.provide("packed", packed);
  project.provide("installed", installed);
  return () => {
    for (const folder of [installed, packed.cache]) rmSync(folder, { recursive: true, force: true });
  };
}
