import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const INSTALL_MS = 300_000;
const MAX_ERROR = 300;
/** What is there in the same versions is used again. */
const STAMP = "installed.json";
const run = promisify(execFile);

/** Where it is, or in one sentence why it cannot be had. */
export type Installed = { readonly folder: string } | { readonly missing: string };

/** Brings packages from the registry into a folder of their own for temporary files, never into this project. Their scripts do not run. */
export async function installPackages(name: string, packages: readonly string[]): Promise<Installed> {
  const folder = join(tmpdir(), "onceboard-bench-packages", name);
  const wanted = JSON.stringify(packages);
  if ((await readFile(join(folder, STAMP), "utf8").catch(() => "")) === wanted) return { folder };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), "{}\n");
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  try {
    if (packages.length > 0) await run("npm", args, { cwd: folder, timeout: INSTALL_MS });
  } catch (error) {
    return { missing: `npm could not install it: ${reasonOf(error)}` };
  }
  await writeFile(join(folder, STAMP), wanted);
  return { folder };
}

function reasonOf(error: unknown): string {
  const output = (error as { readonly stderr?: string }).stderr ?? String(error);
  const lines = output.split("\n").filter((line) => line.startsWith("npm error") && !line.includes("debug-0.log"));
  return (lines.find((line) => / 404 {2}| notarget /.test(line)) ?? lines[0] ?? output).slice(0, MAX_ERROR);
}
