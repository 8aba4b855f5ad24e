import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A directory outside the repository in which the packed package is installed, from an empty cache. */
    readonly installed: string;
  }
}

/** @returns what takes the installation away again */
export default function install(project: TestProject): () => void {
  run(".", process.execPath, ["scripts/pack.mjs"]);
  const tarball = readdirSync(".package").find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("nothing was packed");
  const folder = mkdtempSync(join(tmpdir(), "onceboard-adoption-"));
  const cache = mkdtempSync(join(tmpdir(), "onceboard-npm-cache-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    run(folder, "npm", ["install", "--cache", cache, "--no-audit", "--no-fund", resolve(".package", tarball)]);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  project.provide("installed", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(status)}: ${stdout}${stderr}`);
}
